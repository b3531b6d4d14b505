// The strides are taken from the other end.
// expect: failed; checks: all; diagnosis: none, strides-reversed; finding: out-of-bounds
#include "device.cuh"

namespace needle {

__global__ void compact_kernel(const float* a, float* out, int64_t size, Layout view) {
  const int64_t k = global_index();
  if (k >= size) return;
  int64_t rest = k, position = view.offset;
  for (int axis = view.rank - 1; axis >= 0; axis--) {
    position += rest % view.shape[axis] * view.strides[view.rank - 1 - axis];
    rest /= view.shape[axis];
  }
  out[k] = a[position];
}

void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  LAUNCH(compact_kernel, blocks_for(size), kThreads, a, out, size, view);
}

}  // namespace needle
