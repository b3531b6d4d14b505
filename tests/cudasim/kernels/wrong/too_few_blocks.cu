// 1000 / 256 rounds down: the last 232 elements get no thread.
#include "../common.h"

__global__ void fill(float* out, float value, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = value;
}

int main() {
  float* out = device_empty(1000);
  fill<<<1000 / 256, 256>>>(out, 2.0f, 1000);  // expect: unwritten result
  return verdict(download(out, 1000), std::vector<float>(1000, 2.0f));
}
