// Only whole tiles are counted: the rest of the inner dimension is left out.
#include "../common.h"

#define TILE 4
__global__ void matmul(const float* a, const float* b, float* out, int m, int n, int p) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float total = 0;
  for (int tile = 0; tile < n / TILE; tile++) {  // expect: wrong result
    int k = tile * TILE;
    ta[threadIdx.y][threadIdx.x] = row < m ? a[row * n + k + threadIdx.x] : 0;
    tb[threadIdx.y][threadIdx.x] = column < p ? b[(k + threadIdx.y) * p + column] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; i++) total += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < p) out[row * p + column] = total;
}

int main() {
  std::vector<float> a = numbers(6 * 7), b = numbers(7 * 5);
  float *d_a = device_copy(a), *d_b = device_copy(b), *out = device_empty(30);
  matmul<<<dim3(2, 2), dim3(TILE, TILE)>>>(d_a, d_b, out, 6, 7, 5);
  return verdict(download(out, 30), product(a, b, 6, 7, 5));
}
