// The step of a grid-stride loop is blockDim.x * gridDim.x; with blockDim.x alone the blocks work on the same elements.
#include "../common.h"

__global__ void increment(float* a, int size) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += blockDim.x) a[i] += 1;  // expect: race
}

int main() {
  std::vector<float> a = numbers(500), want = a;
  for (float& value : want) value += 1;
  float* d_a = device_copy(a);
  increment<<<2, 64>>>(d_a, 500);
  return verdict(download(d_a, 500), want);
}
