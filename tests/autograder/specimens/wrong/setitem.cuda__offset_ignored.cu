// The offset of the view is not used.
// expect: failed; checks: ewise_offset, ewise_step, scalar_offset, scalar_step; diagnosis: none, offset-ignored; finding: out-of-bounds
#include "device.cuh"

namespace needle {

__device__ int64_t position_of(int64_t k, const Layout& view) {
  int64_t position = 0;
  for (int axis = view.rank - 1; axis >= 0; axis--) {
    position += k % view.shape[axis] * view.strides[axis];
    k /= view.shape[axis];
  }
  return position;
}

__global__ void ewise_setitem_kernel(const float* a, float* out, int64_t size, Layout view) {
  const int64_t k = global_index();
  if (k < size) out[position_of(k, view)] = a[k];
}

__global__ void scalar_setitem_kernel(float value, float* out, int64_t size, Layout view) {
  const int64_t k = global_index();
  if (k < size) out[position_of(k, view)] = value;
}

void ewise_setitem(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  LAUNCH(ewise_setitem_kernel, blocks_for(size), kThreads, a, out, size, view);
}

void scalar_setitem(float value, float* out, Layout view) {
  const int64_t size = count(view);
  LAUNCH(scalar_setitem_kernel, blocks_for(size), kThreads, value, out, size, view);
}

}  // namespace needle
