// The last 32 threads no longer run in lockstep since Volta: they need __syncwarp between the steps.
#include "../common.h"

__global__ void total(const float* a, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  if (t < 32) {
    for (int stride = 32; stride > 0; stride >>= 1) s[t] += s[t + stride];  // expect: race
  }
  if (t == 0) out[0] = s[0];
}

int main() {
  std::vector<float> a = numbers(64);
  float *d_a = device_copy(a), *out = device_empty(1);
  total<<<1, 64>>>(d_a, out);
  return verdict(download(out, 1), {sum(a)});
}
