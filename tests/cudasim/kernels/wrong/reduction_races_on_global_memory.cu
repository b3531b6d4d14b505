// One thread per input element: the threads of one output element add to it at once.
#include "../common.h"

__global__ void reduce_sum(const float* a, float* out, int size, int reduce_size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i / reduce_size] += a[i];  // expect: race
}

int main() {
  std::vector<float> a = numbers(512), want(8, 0.0f);
  for (int i = 0; i < 512; i++) want[i / 64] += a[i];
  float *d_a = device_copy(a), *out = device_copy(std::vector<float>(8, 0.0f));
  reduce_sum<<<2, 256>>>(d_a, out, 512, 64);
  return verdict(download(out, 8), want);
}
