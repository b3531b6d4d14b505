// The loop of the CPU backend, unchanged: host code that reads and writes device memory.
// expect: failed; checks: all; diagnosis: none; finding: device pointer on the host
#include "device.cuh"

namespace needle {

void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  for (int64_t k = 0; k < size; k++) {
    int64_t rest = k, position = view.offset;
    for (int axis = view.rank - 1; axis >= 0; axis--) {
      position += rest % view.shape[axis] * view.strides[axis];
      rest /= view.shape[axis];
    }
    out[k] = a[position];  // here
  }
}

}  // namespace needle
