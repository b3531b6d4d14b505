// Halving 96 gives 48, 24, 12, 6, 3, 1: the third element of the last three is lost.
#include "../common.h"

__global__ void total(const float* a, float* out) {
  __shared__ float s[96];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) s[t] += s[t + stride];  // expect: wrong result
    __syncthreads();
  }
  if (t == 0) out[0] = s[0];
}

int main() {
  std::vector<float> a = numbers(96);
  float *d_a = device_copy(a), *out = device_empty(1);
  total<<<1, 96>>>(d_a, out);
  return verdict(download(out, 1), {sum(a)});
}
