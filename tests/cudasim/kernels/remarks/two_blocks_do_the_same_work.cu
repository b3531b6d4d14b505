// The index leaves out the block, but the array is short: the second block repeats the first.
#include "../common.h"

__global__ void twice(const float* a, float* out, int size) {
  int i = threadIdx.x;
  if (i < size) out[i] = 2 * a[i];  // expect: same-value race
}

int main() {
  std::vector<float> a = numbers(200), want = a;
  for (float& value : want) value *= 2;
  float *d_a = device_copy(a), *out = device_empty(200);
  twice<<<2, 256>>>(d_a, out, 200);
  return verdict(download(out, 200), want);
}
