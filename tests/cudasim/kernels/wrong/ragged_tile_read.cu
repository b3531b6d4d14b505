// The last tile of b hangs over the edge and is loaded all the same.
#include "../common.h"

#define TILE 8
__global__ void matmul(const float* a, const float* b, float* out, int m, int n, int p) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float total = 0;
  for (int start = 0; start < n; start += TILE) {
    ta[threadIdx.y][threadIdx.x] = row < m && start + threadIdx.x < n ? a[row * n + start + threadIdx.x] : 0;
    tb[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * p + column];  // expect: out-of-bounds
    __syncthreads();
    for (int k = 0; k < TILE; k++) total += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < p) out[row * p + column] = total;
}

int main() {
  std::vector<float> a = numbers(17 * 13), b = numbers(13 * 11);
  float *d_a = device_copy(a), *d_b = device_copy(b), *out = device_empty(17 * 11);
  matmul<<<dim3(2, 3), dim3(TILE, TILE)>>>(d_a, d_b, out, 17, 13, 11);
  return verdict(download(out, 17 * 11), product(a, b, 17, 13, 11));
}
