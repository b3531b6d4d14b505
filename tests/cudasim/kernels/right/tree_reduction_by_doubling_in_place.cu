// The textbook's first, divergent tree: in global memory, in place, one block.
#include "../common.h"

__global__ void total(float* a, float* out) {
  unsigned i = 2 * threadIdx.x;
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    if (threadIdx.x % stride == 0) a[i] += a[i + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = a[0];
}

int main() {
  std::vector<float> a = numbers(128);
  float *d_a = device_copy(a), *out = device_empty(1);
  total<<<1, 64>>>(d_a, out);
  return verdict(download(out, 1), {sum(a)});
}
