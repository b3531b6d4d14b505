// The threads beyond the edge read parts of the tile that nobody wrote, and never use them.
#include "../common.h"

__global__ void matmul(const float* a, const float* b, float* out, int n) {
  __shared__ float ta[8][8];
  int row = threadIdx.y, column = threadIdx.x;
  if (row < n && column < n) ta[row][column] = a[row * n + column];
  __syncthreads();
  float total = 0;
  for (int k = 0; k < n; k++) total += ta[row][k] * (column < n ? b[k * n + column] : 0);  // expect: uninitialised, unused
  if (row < n && column < n) out[row * n + column] = total;
}

int main() {
  std::vector<float> a = numbers(25), b = numbers(25);
  float *d_a = device_copy(a), *d_b = device_copy(b), *out = device_empty(25);
  matmul<<<1, dim3(8, 8)>>>(d_a, d_b, out, 5);
  return verdict(download(out, 25), product(a, b, 5, 5, 5));
}
