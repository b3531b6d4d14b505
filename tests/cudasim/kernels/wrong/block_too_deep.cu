// A block is at most 64 threads deep.
#include "../common.h"

__global__ void fill(float* out, float value, int size) {
  int i = threadIdx.z;
  if (i < size) out[i] = value;
}

int main() {
  float* out = device_empty(100);
  fill<<<1, dim3(1, 1, 128)>>>(out, 2.0f, 100);  // expect: bad launch
  return verdict(download(out, 100), std::vector<float>(100, 2.0f));
}
