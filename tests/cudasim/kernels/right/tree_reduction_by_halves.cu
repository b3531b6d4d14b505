// The textbook's convergent tree, and a sum over blocks by atomics.
#include "../common.h"

__global__ void total(const float* a, float* out, int size) {
  __shared__ float s[64];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < size ? a[i] : 0;
  for (unsigned stride = blockDim.x / 2; stride >= 1; stride >>= 1) {
    __syncthreads();
    if (t < stride) s[t] += s[t + stride];
  }
  if (t == 0) atomicAdd(out, s[0]);
}

int main() {
  std::vector<float> a = numbers(300);
  float *d_a = device_copy(a), *out = device_copy({0.0f});
  total<<<5, 64>>>(d_a, out, 300);
  return verdict(download(out, 1), {sum(a)});
}
