// A single thread counts through the view: slow, and right.
// expect: passed
#include "device.cuh"

namespace needle {

__global__ void store_kernel(const float* a, float value, float* out, Layout view) {
  int64_t index[kCudaMaxRank] = {};
  int64_t position = view.offset;
  for (int64_t k = 0;; k++) {
    out[position] = a ? a[k] : value;
    int axis = view.rank - 1;
    while (axis >= 0 && ++index[axis] == view.shape[axis]) {
      position -= (view.shape[axis] - 1) * view.strides[axis];
      index[axis--] = 0;
    }
    if (axis < 0) return;
    position += view.strides[axis];
  }
}

void ewise_setitem(const float* a, float* out, Layout view) { LAUNCH(store_kernel, 1, 1, a, 0.0f, out, view); }
void scalar_setitem(float value, float* out, Layout view) { LAUNCH(store_kernel, 1, 1, nullptr, value, out, view); }

}  // namespace needle
