// Even and odd threads of one warp wait at different barriers.
#include "../common.h"

__global__ void swap_pairs(const float* a, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  if (t % 2) {
    __syncthreads();
    out[t] = s[t - 1];
  } else {
    __syncthreads();  // expect: barrier divergence
    out[t] = s[t + 1];
  }
}

int main() {
  std::vector<float> a = numbers(64), want(64);
  for (int i = 0; i < 64; i++) want[i] = a[i ^ 1];
  float *d_a = device_copy(a), *out = device_empty(64);
  swap_pairs<<<1, 64>>>(d_a, out);
  return verdict(download(out, 64), want);
}
