// The neighbour of the last thread lies behind the shared array.
#include "../common.h"

__global__ void pair_sums(const float* a, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 1];  // expect: out-of-bounds
}

int main() {
  std::vector<float> a = numbers(64), want(63);
  for (int i = 0; i < 63; i++) want[i] = a[i] + a[i + 1];
  float *d_a = device_copy(a), *out = device_empty(64);
  pair_sums<<<1, 64>>>(d_a, out);
  return verdict(download(out, 64), want);
}
