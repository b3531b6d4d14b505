// One block for everything: only the first 256 elements are copied.
// expect: failed; checks: all but reversed, view_of_view; diagnosis: first-block-only; finding: none
#include "device.cuh"

namespace needle {

__global__ void compact_kernel(const float* a, float* out, int64_t size, Layout view) {
  const int64_t k = threadIdx.x;
  if (k >= size) return;
  int64_t rest = k, position = view.offset;
  for (int axis = view.rank - 1; axis >= 0; axis--) {
    position += rest % view.shape[axis] * view.strides[axis];
    rest /= view.shape[axis];
  }
  out[k] = a[position];
}

void compact(const float* a, float* out, Layout view) {
  LAUNCH(compact_kernel, 1, kThreads, a, out, count(view), view);
}

}  // namespace needle
