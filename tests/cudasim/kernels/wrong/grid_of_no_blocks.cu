// 100 / 256 is 0: a grid must have at least one block.
#include "../common.h"

__global__ void fill(float* out, float value, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = value;
}

int main() {
  float* out = device_empty(100);
  fill<<<100 / 256, 256>>>(out, 2.0f, 100);  // expect: bad launch
  return verdict(download(out, 100), std::vector<float>(100, 2.0f));
}
