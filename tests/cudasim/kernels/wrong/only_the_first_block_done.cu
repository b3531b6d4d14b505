// The index leaves out the block: all blocks work on the first 256 elements.
#include "../common.h"

__global__ void twice(const float* a, float* out, int size) {
  int i = threadIdx.x;
  if (i < size) out[i] = 2 * a[i];
}

int main() {
  std::vector<float> a = numbers(1000), want = a;
  for (float& value : want) value *= 2;
  float *d_a = device_copy(a), *out = device_empty(1000);
  twice<<<4, 256>>>(d_a, out, 1000);  // expect: unwritten result
  return verdict(download(out, 1000), want);
}
