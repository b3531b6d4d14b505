// A block reads the sum that another block of the same launch writes: no order exists between blocks.
#include "../common.h"

__global__ void add_previous(const float* a, float* sums, float* out) {
  if (threadIdx.x == 0) {
    float total = 0;
    for (int k = 0; k < 32; k++) total += a[blockIdx.x * 32 + k];
    sums[blockIdx.x] = total;
  }
  __syncthreads();
  int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = a[i] + (blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0);  // expect: race
}

int main() {
  std::vector<float> a = numbers(96), want = a;
  for (int i = 32; i < 96; i++) want[i] += sum({a.begin() + (i / 32 - 1) * 32, a.begin() + i / 32 * 32});
  float *d_a = device_copy(a), *sums = device_copy(std::vector<float>(3, 0.0f)), *out = device_empty(96);
  add_previous<<<3, 32>>>(d_a, sums, out);
  return verdict(download(out, 96), want);
}
