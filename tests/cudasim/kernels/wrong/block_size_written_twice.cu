// The index uses 256, the launch 128: every second half block is skipped, and the last blocks leave the array.
#include "../common.h"

__global__ void fill(float* out, float value, int size) {
  int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = value;  // expect: out-of-bounds
}

int main() {
  float* out = device_empty(1024);
  fill<<<8, 128>>>(out, 2.0f, 1024);
  return verdict(download(out, 1024), std::vector<float>(1024, 2.0f));
}
