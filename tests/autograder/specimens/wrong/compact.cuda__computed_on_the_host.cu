// The elements are copied to the host, put in order there, and copied back: no kernel runs.
// expect: failed; checks: all; diagnosis: none; told: no kernel wrote this result
#include "device.cuh"

namespace needle {

void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  std::vector<float> result(size);
  for (int64_t k = 0; k < size; k++) {
    int64_t rest = k, position = view.offset;
    for (int axis = view.rank - 1; axis >= 0; axis--) {
      position += rest % view.shape[axis] * view.strides[axis];
      rest /= view.shape[axis];
    }
    check(cudaMemcpy(&result[k], a + position, sizeof(float), cudaMemcpyDeviceToHost), "copy to the host");
  }
  check(cudaMemcpy(out, result.data(), size * sizeof(float), cudaMemcpyHostToDevice), "copy to the device");
}

}  // namespace needle
