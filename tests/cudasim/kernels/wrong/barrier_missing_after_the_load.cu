// The tile is used before the other threads have loaded their part of it.
#include "../common.h"

#define TILE 8
__global__ void matmul(const float* a, const float* b, float* out, int n) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float total = 0;
  for (int start = 0; start < n; start += TILE) {
    ta[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
    for (int k = 0; k < TILE; k++) total += ta[threadIdx.y][k] * tb[k][threadIdx.x];  // expect: race
    __syncthreads();
  }
  out[row * n + column] = total;
}

int main() {
  std::vector<float> a = numbers(256), b = numbers(256);
  float *d_a = device_copy(a), *d_b = device_copy(b), *out = device_empty(256);
  matmul<<<dim3(2, 2), dim3(TILE, TILE)>>>(d_a, d_b, out, 16);
  return verdict(download(out, 256), product(a, b, 16, 16, 16));
}
