// The copy to the device is longer than the array there.
#include "../common.h"

__global__ void negate(float* a, int size) {
  int i = threadIdx.x;
  if (i < size) a[i] = -a[i];
}

int main() {
  std::vector<float> a = numbers(100), want = a;
  for (float& value : want) value = -value;
  float* d_a = device_empty(50);
  cudaMemcpy(d_a, a.data(), 100 * sizeof(float), cudaMemcpyHostToDevice);  // expect: bad copy
  negate<<<1, 64>>>(d_a, 50);
  return verdict(download(d_a, 50), want);
}
