// The size of a copy counts bytes: only 12 of the 50 factors arrive.
#include "../common.h"

__global__ void multiply(const float* a, const float* factors, float* out, int size) {
  int i = threadIdx.x;
  if (i < size) out[i] = a[i] * factors[i];  // expect: uninitialised
}

int main() {
  std::vector<float> a = numbers(50), host(a.rbegin(), a.rend()), want(50);
  for (int i = 0; i < 50; i++) want[i] = a[i] * host[i];
  float *d_a = device_copy(a), *factors = device_empty(50), *out = device_empty(50);
  cudaMemcpy(factors, host.data(), 50, cudaMemcpyHostToDevice);
  multiply<<<1, 64>>>(d_a, factors, out, 50);
  return verdict(download(out, 50), want);
}
