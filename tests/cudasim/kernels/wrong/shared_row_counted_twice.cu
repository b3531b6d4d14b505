// The second index already chose the row: adding threadIdx.y * 4 leaves the tile.
#include "../common.h"

__global__ void through_shared(const float* a, float* out) {
  __shared__ float tile[4][4];
  int i = threadIdx.y * 4 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x + threadIdx.y * 4] = a[i];  // expect: out-of-bounds
  __syncthreads();
  out[i] = tile[threadIdx.y][threadIdx.x + threadIdx.y * 4];
}

int main() {
  std::vector<float> a = numbers(16);
  float *d_a = device_copy(a), *out = device_empty(16);
  through_shared<<<1, dim3(4, 4)>>>(d_a, out);
  return verdict(download(out, 16), a);
}
