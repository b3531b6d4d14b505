// The data of a std::vector is in host memory.
#include "../common.h"

__global__ void scale(const float* a, float* out, const float* factors, int size) {
  int i = threadIdx.x;
  if (i < size) out[i] = a[i] * factors[i % 2];  // expect: host pointer
}

int main() {
  std::vector<float> a = numbers(50), factors = {2, 2}, want = a;
  for (float& value : want) value *= 2;
  float *d_a = device_copy(a), *out = device_empty(50);
  scale<<<1, 64>>>(d_a, out, factors.data(), 50);
  return verdict(download(out, 50), want);
}
