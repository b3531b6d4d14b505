// i <= size lets one thread too many through.
#include "../common.h"

__global__ void twice(const float* a, float* out, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= size) {
    float value = a[i];  // expect: out-of-bounds
    out[i] = 2 * value;
  }
}

int main() {
  std::vector<float> a = numbers(257), want = a;
  for (float& value : want) value *= 2;
  float *d_a = device_copy(a), *out = device_empty(257);
  twice<<<2, 256>>>(d_a, out, 257);
  return verdict(download(out, 257), want);
}
