// Device lambdas given to one template, launched on a stream of its own with odd block sizes.
// expect: passed
#include "device.cuh"

namespace needle {

template <typename Function>
__global__ void __launch_bounds__(97) apply_kernel(Function function, int64_t size) {
  for (int64_t i = global_index(); i < size; i += int64_t{gridDim.x} * blockDim.x) function(i);
}

template <typename Function>
void apply(Function function, int64_t size) {
  cudaStream_t stream;
  check(cudaStreamCreate(&stream), "cudaStreamCreate");
  apply_kernel<<<7, 97, 0, stream>>>(function, size);
  check(cudaGetLastError(), "apply_kernel");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  check(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

void ewise_mul(const float* a, const float* b, float* out, int64_t size) {
  apply([=] __device__(int64_t i) { out[i] = a[i] * b[i]; }, size);
}
void ewise_div(const float* a, const float* b, float* out, int64_t size) {
  apply([=] __device__(int64_t i) { out[i] = a[i] / b[i]; }, size);
}
void ewise_maximum(const float* a, const float* b, float* out, int64_t size) {
  apply([=] __device__(int64_t i) { out[i] = a[i] > b[i] || a[i] != a[i] ? a[i] : b[i]; }, size);
}
void ewise_eq(const float* a, const float* b, float* out, int64_t size) {
  apply([=] __device__(int64_t i) { out[i] = a[i] == b[i]; }, size);
}
void ewise_ge(const float* a, const float* b, float* out, int64_t size) {
  apply([=] __device__(int64_t i) { out[i] = a[i] >= b[i]; }, size);
}
void ewise_log(const float* a, float* out, int64_t size) {
  apply([=] __device__(int64_t i) { out[i] = log(a[i]); }, size);
}
void ewise_exp(const float* a, float* out, int64_t size) {
  apply([=] __device__(int64_t i) { out[i] = exp(a[i]); }, size);
}
void ewise_tanh(const float* a, float* out, int64_t size) {
  apply([=] __device__(int64_t i) { out[i] = tanh(a[i]); }, size);
}

}  // namespace needle
