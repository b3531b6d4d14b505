// The kernel ends itself.
#include "../common.h"

__global__ void check(const float* a, float* out) {
  if (a[threadIdx.x] < 0) __trap();  // expect: trap
  out[threadIdx.x] = a[threadIdx.x];
}

int main() {
  std::vector<float> a = numbers(32);
  float *d_a = device_copy(a), *out = device_empty(32);
  check<<<1, 32>>>(d_a, out);
  return verdict(download(out, 32), a);
}
