// Comparing and storing is two steps: another thread's maximum can be lost between them.
#include "../common.h"

__global__ void maximum(const float* a, float* out, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size && a[i] > out[0]) out[0] = a[i];  // expect: race
}

int main() {
  std::vector<float> a = numbers(200);
  float *d_a = device_copy(a), *out = device_copy({-1000.0f});
  maximum<<<2, 128>>>(d_a, out, 200);
  return verdict(download(out, 1), {9.0f});
}
