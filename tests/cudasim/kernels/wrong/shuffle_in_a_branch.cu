// The mask names 32 lanes, but only the first 20 come here.
#include "../common.h"

__global__ void total(const float* a, float* out, int size) {
  float value = 0;
  if (threadIdx.x < size) {
    value = a[threadIdx.x];
    for (int delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(0xffffffff, value, delta);  // expect: inactive lane
  }
  if (threadIdx.x == 0) out[0] = value;
}

int main() {
  std::vector<float> a = numbers(20);
  float *d_a = device_copy(a), *out = device_empty(1);
  total<<<1, 32>>>(d_a, out, 20);
  return verdict(download(out, 1), {sum(a)});
}
