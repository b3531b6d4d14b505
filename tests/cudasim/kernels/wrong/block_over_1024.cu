// 64 x 64 threads are 4096; a block has at most 1024.
#include "../common.h"

__global__ void fill(float* out, float value, int side) {
  int row = threadIdx.y, column = threadIdx.x;
  if (row < side && column < side) out[row * side + column] = value;
}

int main() {
  float* out = device_empty(3600);
  fill<<<1, dim3(64, 64)>>>(out, 2.0f, 60);  // expect: bad launch
  return verdict(download(out, 3600), std::vector<float>(3600, 2.0f));
}
