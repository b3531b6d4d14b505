// The block has 16 threads: lanes 16 to 31, whose values the first step adds, do not exist.
#include "../common.h"

__global__ void total(const float* a, float* out) {
  float value = a[threadIdx.x];
  for (int delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(0xffffffff, value, delta);  // expect: inactive lane
  if (threadIdx.x == 0) out[0] = value;
}

int main() {
  std::vector<float> a = numbers(16);
  float *d_a = device_copy(a), *out = device_empty(1);
  total<<<1, 16>>>(d_a, out);
  return verdict(download(out, 1), {sum(a)});
}
