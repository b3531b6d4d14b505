// The textbook's convolution: the filter in constant memory, a tile with a halo in shared memory.
#include "../common.h"

#define RADIUS 2
#define TILE 32
__constant__ float filter[2 * RADIUS + 1];

__global__ void convolve(const float* a, float* out, int size) {
  __shared__ float tile[TILE + 2 * RADIUS];
  int i = blockIdx.x * TILE + threadIdx.x, left = i - RADIUS;
  tile[threadIdx.x] = left >= 0 && left < size ? a[left] : 0;
  if (threadIdx.x < 2 * RADIUS) tile[TILE + threadIdx.x] = left + TILE < size ? a[left + TILE] : 0;
  __syncthreads();
  if (i >= size) return;
  float total = 0;
  for (int k = 0; k < 2 * RADIUS + 1; k++) total += filter[k] * tile[threadIdx.x + k];
  out[i] = total;
}

int main() {
  std::vector<float> a = numbers(100), want(100, 0.0f);
  const float host[5] = {1, -2, 3, -2, 1};
  cudaMemcpyToSymbol(filter, host, sizeof host);
  for (int i = 0; i < 100; i++)
    for (int k = 0; k < 5; k++)
      if (i + k >= 2 && i + k < 102) want[i] += host[k] * a[i + k - 2];
  float *d_a = device_copy(a), *out = device_empty(100);
  convolve<<<4, TILE>>>(d_a, out, 100);
  return verdict(download(out, 100), want);
}
