// Kogge and Stone with two buffers that change places: one barrier per step is enough.
#include "../common.h"

__global__ void scan(const float* a, float* out) {
  __shared__ float buffers[2][64];
  int t = threadIdx.x, now = 0;
  buffers[0][t] = a[t];
  __syncthreads();
  for (int stride = 1; stride < 64; stride *= 2) {
    buffers[1 - now][t] = buffers[now][t] + (t >= stride ? buffers[now][t - stride] : 0);
    now = 1 - now;
    __syncthreads();
  }
  out[t] = buffers[now][t];
}

int main() {
  std::vector<float> a = numbers(64), want = a;
  for (int i = 1; i < 64; i++) want[i] += want[i - 1];
  float *d_a = device_copy(a), *out = device_empty(64);
  scan<<<1, 64>>>(d_a, out);
  return verdict(download(out, 64), want);
}
