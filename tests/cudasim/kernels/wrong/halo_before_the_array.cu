// The first element has no left neighbour.
#include "../common.h"

__global__ void blur(const float* a, float* out, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) {
    float left = a[i - 1];  // expect: out-of-bounds
    out[i] = left + a[i];
  }
}

int main() {
  std::vector<float> a = numbers(100), want = a;
  for (int i = 1; i < 100; i++) want[i] = a[i - 1] + a[i];
  float *d_a = device_copy(a), *out = device_empty(100);
  blur<<<1, 128>>>(d_a, out, 100);
  return verdict(download(out, 100), want);
}
