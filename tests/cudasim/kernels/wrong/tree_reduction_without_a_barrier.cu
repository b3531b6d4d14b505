// Each halving of the tree needs the sums of the one before.
#include "../common.h"

__global__ void total(const float* a, float* out) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int stride = 64; stride > 0; stride >>= 1) {
    if (t < stride) s[t] += s[t + stride];  // expect: race
  }
  if (t == 0) out[0] = s[0];
}

int main() {
  std::vector<float> a = numbers(128);
  float *d_a = device_copy(a), *out = device_empty(1);
  total<<<1, 128>>>(d_a, out);
  return verdict(download(out, 1), {sum(a)});
}
