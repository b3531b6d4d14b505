// Each thread adds several elements before the tree starts; the last steps stay in one warp with __syncwarp.
#include "../common.h"

#define COARSE 4
__global__ void total(const float* a, float* out, int size) {
  __shared__ float s[128];
  int t = threadIdx.x;
  float mine = 0;
  for (int k = 0; k < COARSE; k++) {
    int i = (blockIdx.x * COARSE + k) * blockDim.x + t;
    if (i < size) mine += a[i];
  }
  s[t] = mine;
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    for (int stride = 32; stride > 0; stride >>= 1) {
      float other = s[t + stride];
      __syncwarp();
      s[t] += other;
      __syncwarp();
    }
  }
  if (t == 0) atomicAdd(out, s[0]);
}

int main() {
  std::vector<float> a = numbers(1500);
  float *d_a = device_copy(a), *out = device_copy({0.0f});
  total<<<3, 128>>>(d_a, out, 1500);
  return verdict(download(out, 1), {sum(a)});
}
