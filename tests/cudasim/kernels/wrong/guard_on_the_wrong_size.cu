// The guard uses the size of a, but it is out that is shorter.
#include "../common.h"

__global__ void every_other(const float* a, float* out, int a_size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < a_size) out[i] = 2 * i < a_size ? a[2 * i] : 0.0f;  // expect: out-of-bounds
}

int main() {
  std::vector<float> a = numbers(300), want(150);
  for (int i = 0; i < 150; i++) want[i] = a[2 * i];
  float *d_a = device_copy(a), *out = device_empty(150);
  every_other<<<2, 256>>>(d_a, out, 300);
  return verdict(download(out, 150), want);
}
