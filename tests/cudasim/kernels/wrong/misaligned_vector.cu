// A float4 must start at a multiple of 16 bytes; the view starts one float later.
#include "../common.h"

__global__ void copy4(const float* a, float4* out, int size) {
  int i = threadIdx.x;
  if (i < size) out[i] = *reinterpret_cast<const float4*>(a + 1 + 4 * i);  // expect: misaligned
}

int main() {
  std::vector<float> a = numbers(65), want(a.begin() + 1, a.end());
  float *d_a = device_copy(a), *out = device_empty(64);
  copy4<<<1, 32>>>(d_a, reinterpret_cast<float4*>(out), 16);
  return verdict(download(out, 64), want);
}
