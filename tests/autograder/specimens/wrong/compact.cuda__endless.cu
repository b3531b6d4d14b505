// The loop over the axes never ends for a view of two axes or more.
// expect: time-out; checks: all; diagnosis: none; told: compact_kernel (src/backend_cuda/compact.cu:21) was running
#include "device.cuh"

namespace needle {

__global__ void compact_kernel(const float* a, float* out, int64_t size, Layout view) {
  const int64_t k = global_index();
  if (k >= size) return;
  int64_t rest = k, position = view.offset;
  for (int axis = view.rank - 1; axis >= 0;) {
    position += rest % view.shape[axis] * view.strides[axis];
    rest /= view.shape[axis];
    if (view.rank < 2) axis--;
  }
  out[k] = a[position];
}

void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  LAUNCH(compact_kernel, blocks_for(size), kThreads, a, out, size, view);
}

}  // namespace needle
