// A launch gets at most 48 KB of dynamic shared memory unless the kernel asks for more.
#include "../common.h"

__global__ void reverse(const float* a, float* out, int size) {
  extern __shared__ float s[];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[size - 1 - threadIdx.x];
}

int main() {
  std::vector<float> a = numbers(64), want(a.rbegin(), a.rend());
  float *d_a = device_copy(a), *out = device_empty(64);
  reverse<<<1, 64, 64 * 1024>>>(d_a, out, 64);  // expect: bad launch
  return verdict(download(out, 64), want);
}
