// The shared total starts with whatever was there.
#include "../common.h"

__global__ void total(const float* a, float* out) {
  __shared__ float s;
  atomicAdd(&s, a[threadIdx.x]);  // expect: uninitialised
  __syncthreads();
  if (threadIdx.x == 0) out[0] = s;
}

int main() {
  std::vector<float> a = numbers(64);
  float *d_a = device_copy(a), *out = device_empty(1);
  total<<<1, 64>>>(d_a, out);
  return verdict(download(out, 1), {sum(a)});
}
