// The last element of size elements is a[size - 1].
#include "../common.h"

__global__ void reverse(const float* a, float* out, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[size - i];  // expect: out-of-bounds
}

int main() {
  std::vector<float> a = numbers(100), want(a.rbegin(), a.rend());
  float *d_a = device_copy(a), *out = device_empty(100);
  reverse<<<1, 128>>>(d_a, out, 100);
  return verdict(download(out, 100), want);
}
