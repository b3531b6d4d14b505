// The tail of the last block loads nothing, but the reduction adds it up.
#include "../common.h"

__global__ void total(const float* a, float* out, int size) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t < size) s[t] = a[t];
  __syncthreads();
  for (int stride = 32; stride > 0; stride >>= 1) {
    if (t < stride) s[t] += s[t + stride];  // expect: uninitialised
    __syncthreads();
  }
  if (t == 0) out[0] = s[0];
}

int main() {
  std::vector<float> a = numbers(50);
  float *d_a = device_copy(a), *out = device_empty(1);
  total<<<1, 64>>>(d_a, out, 50);
  return verdict(download(out, 1), {sum(a)});
}
