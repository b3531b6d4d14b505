// All threads of the block add to one cell.
#include "../common.h"

__global__ void total(const float* a, float* out) {
  __shared__ float s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  s += a[threadIdx.x];  // expect: race
  __syncthreads();
  if (threadIdx.x == 0) out[0] = s;
}

int main() {
  std::vector<float> a = numbers(64);
  float *d_a = device_copy(a), *out = device_empty(1);
  total<<<1, 64>>>(d_a, out);
  return verdict(download(out, 1), {sum(a)});
}
