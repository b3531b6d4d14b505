// The launch gives 32 floats of shared memory, the 64 threads use 64.
#include "../common.h"

__global__ void reverse(const float* a, float* out, int size) {
  extern __shared__ float s[];
  s[threadIdx.x] = a[threadIdx.x];  // expect: out-of-bounds
  __syncthreads();
  out[threadIdx.x] = s[size - 1 - threadIdx.x];
}

int main() {
  std::vector<float> a = numbers(64), want(a.rbegin(), a.rend());
  float *d_a = device_copy(a), *out = device_empty(64);
  reverse<<<1, 64, 32 * sizeof(float)>>>(d_a, out, 64);
  return verdict(download(out, 64), want);
}
