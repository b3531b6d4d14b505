// The kernel checks its own size and fails.
#include "../common.h"

#include <cassert>

__global__ void fill(float* out, float value, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < size);  // expect: assertion
  out[i] = value;
}

int main() {
  float* out = device_empty(100);
  fill<<<1, 128>>>(out, 2.0f, 100);
  return verdict(download(out, 100), std::vector<float>(100, 2.0f));
}
