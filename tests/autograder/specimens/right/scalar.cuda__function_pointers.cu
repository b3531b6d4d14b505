// The operation is a template parameter that is a function, and the number lies in constant memory.
// expect: passed
#include "device.cuh"

namespace needle {

__constant__ float number;

__device__ float multiply(float x, float y) { return x * y; }
__device__ float divide(float x, float y) { return x / y; }
__device__ float power(float x, float y) { return powf(x, y); }
__device__ float larger(float x, float y) { return x > y || isnan(x) ? x : y; }
__device__ float equal(float x, float y) { return x == y; }
__device__ float not_less(float x, float y) { return x >= y; }

template <float (*operation)(float, float)>
__global__ void kernel(const float* a, float* out, int64_t size) {
  const int64_t i = global_index();
  if (i < size) out[i] = operation(a[i], number);
}

template <float (*operation)(float, float)>
void start(const float* a, float value, float* out, int64_t size) {
  check(cudaMemcpyToSymbol(number, &value, sizeof value), "cudaMemcpyToSymbol");
  LAUNCH(kernel<operation>, blocks_for(size), kThreads, a, out, size);
}

void scalar_mul(const float* a, float value, float* out, int64_t size) { start<multiply>(a, value, out, size); }
void scalar_div(const float* a, float value, float* out, int64_t size) { start<divide>(a, value, out, size); }
void scalar_power(const float* a, float value, float* out, int64_t size) { start<power>(a, value, out, size); }
void scalar_maximum(const float* a, float value, float* out, int64_t size) { start<larger>(a, value, out, size); }
void scalar_eq(const float* a, float value, float* out, int64_t size) { start<equal>(a, value, out, size); }
void scalar_ge(const float* a, float value, float* out, int64_t size) { start<not_less>(a, value, out, size); }

}  // namespace needle
