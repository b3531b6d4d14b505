// Each thread reads what its neighbour overwrites.
#include "../common.h"

__global__ void shift(float* a, int size) {
  int i = threadIdx.x;
  if (i + 1 < size) a[i] = a[i + 1];  // expect: race
}

int main() {
  std::vector<float> a = numbers(64), want(a.begin() + 1, a.end());
  float* d_a = device_copy(a);
  shift<<<1, 64>>>(d_a, 64);
  return verdict(download(d_a, 64), want);
}
