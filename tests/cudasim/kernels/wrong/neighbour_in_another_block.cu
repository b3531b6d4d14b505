// Inside the block the order is right, but the first thread of a block reads what another block writes.
#include "../common.h"

__global__ void differences(float* a, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float left = i > 0 && i < size ? a[i - 1] : 0;  // expect: race
  __syncthreads();
  if (i < size) a[i] -= left;
}

int main() {
  std::vector<float> a = numbers(96), want = a;
  for (int i = 95; i > 0; i--) want[i] -= want[i - 1];
  float* d_a = device_copy(a);
  differences<<<3, 32>>>(d_a, 96);
  return verdict(download(d_a, 96), want);
}
