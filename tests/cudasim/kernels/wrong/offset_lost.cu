// The offset of the view is passed and never used.
#include "../common.h"

__global__ void copy_view(const float* a, float* out, int size, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i];  // expect: wrong result
}

int main() {
  std::vector<float> a = numbers(100), want(a.begin() + 40, a.end());
  float *d_a = device_copy(a), *out = device_empty(60);
  copy_view<<<1, 64>>>(d_a, out, 60, 40);
  return verdict(download(out, 60), want);
}
