// The constant array has four coefficients, the loop takes five.
#include "../common.h"

__constant__ float coefficients[4];

__global__ void polynomial(const float* a, float* out, int degree) {
  float value = 0;
  for (int k = degree; k >= 0; k--) value = value * a[threadIdx.x] + coefficients[k];  // expect: out-of-bounds
  out[threadIdx.x] = value;
}

int main() {
  std::vector<float> a = numbers(32), want(32);
  const float host[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(coefficients, host, sizeof host);
  for (int i = 0; i < 32; i++) want[i] = ((4 * a[i] + 3) * a[i] + 2) * a[i] + 1;
  float *d_a = device_copy(a), *out = device_empty(32);
  polynomial<<<1, 32>>>(d_a, out, 4);
  return verdict(download(out, 32), want);
}
