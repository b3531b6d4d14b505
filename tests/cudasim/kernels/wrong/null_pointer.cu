// The allocation was never made.
#include "../common.h"

__global__ void fill(float* out, float value, int size) {
  int i = threadIdx.x;
  if (i < size) out[i] = value;  // expect: null pointer
}

int main() {
  float* out = nullptr;
  fill<<<1, 128>>>(out, 2.0f, 100);
  return verdict(download(out, 100), std::vector<float>(100, 2.0f));
}
