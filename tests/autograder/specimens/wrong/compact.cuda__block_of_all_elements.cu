// One thread for each element in a single block, which is refused above 1024; nobody asks whether it ran.
// expect: failed; checks: contiguous, permuted; diagnosis: none; finding: bad launch
#include "device.cuh"

namespace needle {

__global__ void compact_kernel(const float* a, float* out, Layout view) {
  const int64_t k = threadIdx.x;
  int64_t rest = k, position = view.offset;
  for (int axis = view.rank - 1; axis >= 0; axis--) {
    position += rest % view.shape[axis] * view.strides[axis];
    rest /= view.shape[axis];
  }
  out[k] = a[position];
}

void compact(const float* a, float* out, Layout view) {
  compact_kernel<<<1, static_cast<unsigned>(count(view))>>>(a, out, view);  // here
}

}  // namespace needle
