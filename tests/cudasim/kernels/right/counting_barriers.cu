// Barriers that count, and one that asks whether any thread still has work.
#include "../common.h"

__global__ void positive(const float* a, float* out) {
  int t = threadIdx.x;
  int count = __syncthreads_count(a[t] > 0);
  int any = __syncthreads_or(a[t] > 100), all = __syncthreads_and(a[t] < 100);
  if (t == 0) out[0] = any || !all ? -1 : count;
}

int main() {
  std::vector<float> a = numbers(48);
  float count = 0;
  for (float value : a) count += value > 0;
  float *d_a = device_copy(a), *out = device_empty(1);
  positive<<<1, 48>>>(d_a, out);
  return verdict(download(out, 1), {count});
}
