// Ties count for >=.
#include "../common.h"

__global__ void ewise_ge(const float* a, const float* b, float* out, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] > b[i];  // expect: wrong result
}

int main() {
  std::vector<float> a = numbers(60), b = a, want(60);
  for (int i = 0; i < 60; i++) b[i] += i % 3 - 1, want[i] = a[i] >= b[i];
  float *d_a = device_copy(a), *d_b = device_copy(b), *out = device_empty(60);
  ewise_ge<<<1, 64>>>(d_a, d_b, out, 60);
  return verdict(download(out, 60), want);
}
