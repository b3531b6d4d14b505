// The number of turns of the loop, and so of barriers, differs between threads: some end while others wait, and then
// meet the barrier after the loop.
#include "../common.h"

__global__ void countdown(const float* a, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  for (int turn = 0; turn < t / 32 + 1; turn++) {
    __syncthreads();
    s[t] += 1;
  }
  __syncthreads();  // expect: barrier divergence
  out[t] = s[63 - t];
}

int main() {
  std::vector<float> a = numbers(64), want(64);
  for (int i = 0; i < 64; i++) want[i] = a[63 - i] + (63 - i) / 32 + 1;
  float *d_a = device_copy(a), *out = device_empty(64);
  countdown<<<1, 64>>>(d_a, out);
  return verdict(download(out, 64), want);
}
