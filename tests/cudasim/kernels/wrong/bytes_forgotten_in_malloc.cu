// cudaMalloc counts bytes: this array has room for 25 floats.
#include "../common.h"

__global__ void fill(float* out, float value, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = value;  // expect: out-of-bounds
}

int main() {
  float* out;
  cudaMalloc(&out, 100);
  fill<<<1, 128>>>(out, 2.0f, 100);
  return verdict(download(out, 100), std::vector<float>(100, 2.0f));
}
