// Each block counts in shared memory with atomics and adds its bins to the result.
#include "../common.h"

__global__ void histogram(const float* a, unsigned* bins, int size) {
  __shared__ unsigned mine[19];
  for (int bin = threadIdx.x; bin < 19; bin += blockDim.x) mine[bin] = 0u;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += blockDim.x * gridDim.x) atomicAdd(&mine[(int)a[i] + 9], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < 19; bin += blockDim.x)
    if (mine[bin] > 0) atomicAdd(&bins[bin], mine[bin]);
}

int main() {
  std::vector<float> a = numbers(1000), want(19, 0.0f), got;
  for (float value : a) want[(int)value + 9] += 1;
  float* d_a = device_copy(a);
  unsigned *bins, host[19];
  cudaMalloc((void**)&bins, sizeof host);
  cudaMemset(bins, 0, sizeof host);
  histogram<<<4, 64>>>(d_a, bins, 1000);
  cudaMemcpy(host, bins, sizeof host, cudaMemcpyDeviceToHost);
  got.assign(host, host + 19);
  return verdict(got, want);
}
