// The textbook's scan needs a second barrier: between reading the neighbour and writing the own element.
#include "../common.h"

__global__ void scan(const float* a, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  for (int stride = 1; stride < 64; stride *= 2) {
    __syncthreads();
    if (t >= stride) s[t] += s[t - stride];  // expect: race
  }
  out[t] = s[t];
}

int main() {
  std::vector<float> a = numbers(64), want = a;
  for (int i = 1; i < 64; i++) want[i] += want[i - 1];
  float *d_a = device_copy(a), *out = device_empty(64);
  scan<<<1, 64>>>(d_a, out);
  return verdict(download(out, 64), want);
}
