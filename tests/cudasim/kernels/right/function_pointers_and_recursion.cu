// A table of device functions, and a device function that calls itself.
#include "../common.h"

typedef float (*Function)(float);
__device__ float negate(float x) { return -x; }
__device__ float twice(float x) { return 2 * x; }
__device__ Function functions[2] = {negate, twice};
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

__global__ void apply(const float* a, float* out) {
  int i = threadIdx.x;
  out[i] = functions[i % 2](a[i]) + factorial(i % 6);
}

int main() {
  std::vector<float> a = numbers(24), want(24);
  const int factorials[6] = {1, 1, 2, 6, 24, 120};
  for (int i = 0; i < 24; i++) want[i] = (i % 2 ? 2 * a[i] : -a[i]) + factorials[i % 6];
  float *d_a = device_copy(a), *out = device_empty(24);
  apply<<<1, 24>>>(d_a, out);
  return verdict(download(out, 24), want);
}
