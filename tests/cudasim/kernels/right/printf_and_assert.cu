// A kernel that prints and checks itself.
#include "../common.h"

#include <cassert>

__global__ void check(const float* a, int size) {
  int i = threadIdx.x;
  assert(i < blockDim.x);
  if (i < size && a[i] == 9) printf("a[%d] is %.1f in block %u\n", i, a[i], blockIdx.x);
}

int main() {
  std::vector<float> a = numbers(16);
  a[5] = 9;
  float* d_a = device_copy(a);
  check<<<1, 32>>>(d_a, 16);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
