// The two halves of the block wait at different barriers.
#include "../common.h"

__global__ void swap_halves(const float* a, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  if (t < 32) {
    __syncthreads();  // expect: barrier divergence
    out[t] = s[t + 32];
  } else {
    __syncthreads();
    out[t] = s[t - 32];
  }
}

int main() {
  std::vector<float> a = numbers(64), want(64);
  for (int i = 0; i < 64; i++) want[i] = a[i ^ 32];
  float *d_a = device_copy(a), *out = device_empty(64);
  swap_halves<<<1, 64>>>(d_a, out);
  return verdict(download(out, 64), want);
}
