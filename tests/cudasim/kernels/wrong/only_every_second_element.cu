// The thread's index is doubled and the odd elements are forgotten.
#include "../common.h"

__global__ void twice(const float* a, float* out, int size) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) out[i] = 2 * a[i];
}

int main() {
  std::vector<float> a = numbers(200), want = a;
  for (float& value : want) value *= 2;
  float *d_a = device_copy(a), *out = device_empty(200);
  twice<<<1, 128>>>(d_a, out, 200);  // expect: unwritten result
  return verdict(download(out, 200), want);
}
