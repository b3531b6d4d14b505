// No guard: threads without an element read behind the input and write somewhere.
// expect: failed; checks: ewise_offset, ewise_permuted, ewise_rank, ewise_step; diagnosis: none; finding: out-of-bounds
#include "device.cuh"

namespace needle {

__device__ int64_t position_of(int64_t k, const Layout& view) {
  int64_t position = view.offset;
  for (int axis = view.rank - 1; axis >= 0; axis--) {
    position += k % view.shape[axis] * view.strides[axis];
    k /= view.shape[axis];
  }
  return position;
}

__global__ void ewise_setitem_kernel(const float* a, float* out, Layout view) {
  const int64_t k = global_index();
  out[position_of(k, view)] = a[k];  // here
}

__global__ void scalar_setitem_kernel(float value, float* out, int64_t size, Layout view) {
  const int64_t k = global_index();
  if (k < size) out[position_of(k, view)] = value;
}

void ewise_setitem(const float* a, float* out, Layout view) {
  LAUNCH(ewise_setitem_kernel, blocks_for(count(view)), kThreads, a, out, view);
}

void scalar_setitem(float value, float* out, Layout view) {
  const int64_t size = count(view);
  LAUNCH(scalar_setitem_kernel, blocks_for(size), kThreads, value, out, size, view);
}

}  // namespace needle
