// Thread 0 sets the flag, the others read it without waiting.
#include "../common.h"

__global__ void scale(const float* a, float* out) {
  __shared__ float factor;
  if (threadIdx.x == 0) factor = a[0] > 0 ? 2 : -2;
  out[threadIdx.x] = a[threadIdx.x] * factor;  // expect: race
}

int main() {
  std::vector<float> a = numbers(64), want = a;
  for (float& value : want) value *= a[0] > 0 ? 2 : -2;
  float *d_a = device_copy(a), *out = device_empty(64);
  scale<<<1, 64>>>(d_a, out);
  return verdict(download(out, 64), want);
}
