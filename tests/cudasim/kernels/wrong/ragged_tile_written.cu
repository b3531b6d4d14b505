// The tiles are read with care, but the result of the ragged tile is written without.
#include "../common.h"

#define TILE 8
__global__ void transpose(const float* a, float* out, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = row < rows && column < columns ? a[row * columns + column] : 0;
  __syncthreads();
  row = blockIdx.x * TILE + threadIdx.y, column = blockIdx.y * TILE + threadIdx.x;
  out[row * rows + column] = tile[threadIdx.x][threadIdx.y];  // expect: out-of-bounds
}

int main() {
  std::vector<float> a = numbers(13 * 11), want(11 * 13);
  for (int i = 0; i < 13; i++)
    for (int j = 0; j < 11; j++) want[j * 13 + i] = a[i * 11 + j];
  float *d_a = device_copy(a), *out = device_empty(11 * 13);
  transpose<<<dim3(2, 2), dim3(TILE, TILE)>>>(d_a, out, 13, 11);
  return verdict(download(out, 11 * 13), want);
}
