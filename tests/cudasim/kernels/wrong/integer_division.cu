// 1 / 2 is 0 between integers.
#include "../common.h"

__global__ void halve(const float* a, float* out, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = 1 / 2 * a[i];  // expect: wrong result
}

int main() {
  std::vector<float> a = numbers(60), want = a;
  for (float& value : want) value /= 2;
  float *d_a = device_copy(a), *out = device_empty(60);
  halve<<<1, 64>>>(d_a, out, 60);
  return verdict(download(out, 60), want);
}
