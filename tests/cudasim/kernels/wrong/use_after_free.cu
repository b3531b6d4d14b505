// The array is freed before the kernel that writes it.
#include "../common.h"

__global__ void fill(float* out, float value, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = value;  // expect: use-after-free
}

int main() {
  float* out = device_empty(100);
  cudaFree(out);
  fill<<<1, 128>>>(out, 2.0f, 100);
  return verdict(download(out, 100), std::vector<float>(100, 2.0f));
}
