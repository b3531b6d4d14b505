// Up and down the tree; the number of active threads changes, the barriers are met by all.
#include "../common.h"

__global__ void scan(const float* a, float* out, unsigned size) {
  __shared__ float s[64];
  unsigned t = threadIdx.x, i = 2 * blockIdx.x * blockDim.x + t;
  if (i < size) s[t] = a[i];
  if (i + blockDim.x < size) s[t + blockDim.x] = a[i + blockDim.x];
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned index = (t + 1) * 2 * stride - 1;
    if (index < 64) s[index] += s[index - stride];
  }
  for (int stride = 16; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned index = (t + 1) * stride * 2 - 1;
    if (index + stride < 64) s[index + stride] += s[index];
  }
  __syncthreads();
  if (i < size) out[i] = s[t];
  if (i + blockDim.x < size) out[i + blockDim.x] = s[t + blockDim.x];
}

int main() {
  std::vector<float> a = numbers(64), want = a;
  for (int i = 1; i < 64; i++) want[i] += want[i - 1];
  float *d_a = device_copy(a), *out = device_empty(64);
  scan<<<1, 32>>>(d_a, out, 64);
  return verdict(download(out, 64), want);
}
