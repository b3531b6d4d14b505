// The threads without an element leave before the barrier that the others wait at.
#include "../common.h"

__global__ void reverse(const float* a, float* out, int size) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t >= size) return;
  s[t] = a[t];
  __syncthreads();  // expect: exit before a barrier
  out[t] = s[size - 1 - t];
}

int main() {
  std::vector<float> a = numbers(50), want(a.rbegin(), a.rend());
  float *d_a = device_copy(a), *out = device_empty(50);
  reverse<<<1, 64>>>(d_a, out, 50);
  return verdict(download(out, 50), want);
}
