// Threads without work return at once; the others walk the array in steps of the grid.
#include "../common.h"

__global__ void absolute(const float* __restrict__ a, float* __restrict__ out, long long size) {
  long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (first >= size) return;
  for (long long i = first; i < size; i += (long long)gridDim.x * blockDim.x) out[i] = fabsf(__ldg(&a[i]));
}

int main() {
  std::vector<float> a = numbers(1000), want = a;
  for (float& value : want) value = value < 0 ? -value : value;
  float *d_a = device_copy(a), *out = device_empty(1000);
  absolute<<<3, 96>>>(d_a, out, 1000);
  absolute<<<20, 96>>>(d_a, out, 1000);
  return verdict(download(out, 1000), want);
}
