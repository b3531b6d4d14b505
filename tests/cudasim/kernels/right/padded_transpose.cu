// A tile with one extra column: neither races nor bank conflicts.
#include "../common.h"

#define TILE 16
__global__ void transpose(const float* a, float* out, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = a[y * columns + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
  if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  std::vector<float> a = numbers(35 * 20), want(20 * 35);
  for (int i = 0; i < 35; i++)
    for (int j = 0; j < 20; j++) want[j * 35 + i] = a[i * 20 + j];
  float *d_a = device_copy(a), *out = device_empty(20 * 35);
  transpose<<<dim3(2, 3), dim3(TILE, TILE)>>>(d_a, out, 35, 20);
  return verdict(download(out, 20 * 35), want);
}
