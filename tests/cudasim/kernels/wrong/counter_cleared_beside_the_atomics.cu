// One thread clears the counter while others already count.
#include "../common.h"

__global__ void count_positive(const float* a, float* counter, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *counter = 0;  // expect: race
  if (i < size && a[i] > 0) atomicAdd(counter, 1.0f);
}

int main() {
  std::vector<float> a = numbers(256);
  float want = 0;
  for (float value : a) want += value > 0;
  float *d_a = device_copy(a), *counter = device_empty(1);
  count_positive<<<2, 128>>>(d_a, counter, 256);
  return verdict(download(counter, 1), {want});
}
