// The number of blocks is rounded down, so the last part of a view is never written.
// expect: failed; checks: all; diagnosis: last-missed, none; finding: bad launch
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
  ewise_setitem_kernel<<<static_cast<unsigned>(size / kThreads), kThreads>>>(a, out, size, view);
}

void scalar_setitem(float value, float* out, Layout view) {
  const int64_t size = count(view);
  scalar_setitem_kernel<<<static_cast<unsigned>(size / kThreads), kThreads>>>(value, out, size, view);
}

}  // namespace needle
