// An extended lambda as a kernel's argument (nvcc: --extended-lambda).
#include "../common.h"

template <class Function>
__global__ void for_each(int size, Function function) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) function(i);
}

int main() {
  std::vector<float> a = numbers(100), want = a;
  for (float& value : want) value *= 3;
  float *d_a = device_copy(a), factor = 3;
  for_each<<<4, 32>>>(100, [=] __device__(int i) { d_a[i] *= factor; });
  return verdict(download(d_a, 100), want);
}
