// Two threads that meet in one bin lose a count.
#include "../common.h"

__global__ void histogram(const float* a, float* bins, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) bins[(int)a[i] + 9] += 1;  // expect: race
}

int main() {
  std::vector<float> a = numbers(1000), want(19, 0.0f);
  for (float value : a) want[(int)value + 9] += 1;
  float *d_a = device_copy(a), *bins = device_copy(std::vector<float>(19, 0.0f));
  histogram<<<8, 128>>>(d_a, bins, 1000);
  return verdict(download(bins, 19), want);
}
