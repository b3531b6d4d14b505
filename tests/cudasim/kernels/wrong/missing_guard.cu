// 1000 elements, 1024 threads, and nothing stops the last 24.
#include "../common.h"

__global__ void fill(float* out, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = value;  // expect: out-of-bounds
}

int main() {
  float* out = device_empty(1000);
  fill<<<4, 256>>>(out, 2.0f);
  return verdict(download(out, 1000), std::vector<float>(1000, 2.0f));
}
