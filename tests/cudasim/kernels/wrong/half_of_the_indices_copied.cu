// Only half of the indices were copied: the other half is garbage, and so is the place it points to.
#include "../common.h"

__global__ void gather(const float* a, const int* indices, float* out, int size) {
  int i = threadIdx.x;
  if (i < size) out[i] = a[indices[i]];  // expect: out-of-bounds
}

int main() {
  std::vector<float> a = numbers(50), want(a.rbegin(), a.rend());
  std::vector<int> host(50);
  for (int i = 0; i < 50; i++) host[i] = 49 - i;
  int* indices;
  cudaMalloc(&indices, 50 * sizeof(int));
  cudaMemcpy(indices, host.data(), 25 * sizeof(int), cudaMemcpyHostToDevice);
  float *d_a = device_copy(a), *out = device_empty(50);
  gather<<<1, 64>>>(d_a, indices, out, 50);
  return verdict(download(out, 50), want);
}
