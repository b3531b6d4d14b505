// All threads that find something set the same flag.
#include "../common.h"

__global__ void any_negative(const float* a, float* flag, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size && a[i] < 0) *flag = 1;  // expect: same-value race
}

int main() {
  std::vector<float> a = numbers(200);
  float *d_a = device_copy(a), *flag = device_copy({1.0f});
  any_negative<<<2, 128>>>(d_a, flag, 200);
  return verdict(download(flag, 1), {1.0f});
}
