// Two streams, asynchronous copies, and events that time them.
#include "../common.h"

__global__ void add(float* a, float value, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) a[i] += value;
}

int main() {
  std::vector<float> a = numbers(64), want = a, got(64);
  for (float& value : want) value += 3;
  float* d_a = device_empty(64);
  cudaStream_t first, second;
  cudaEvent_t start, stop;
  cudaStreamCreate(&first), cudaStreamCreate(&second);
  cudaEventCreate(&start), cudaEventCreate(&stop);
  cudaEventRecord(start, first);
  cudaMemcpyAsync(d_a, a.data(), 64 * sizeof(float), cudaMemcpyHostToDevice, first);
  add<<<2, 32, 0, first>>>(d_a, 1, 64);
  cudaEventRecord(stop, first);
  cudaStreamWaitEvent(second, stop, 0);
  add<<<2, 32, 0, second>>>(d_a, 2, 64);
  cudaMemcpyAsync(got.data(), d_a, 64 * sizeof(float), cudaMemcpyDeviceToHost, second);
  cudaStreamSynchronize(second);
  float elapsed_ms = -1;
  cudaEventElapsedTime(&elapsed_ms, start, stop);
  cudaEventDestroy(start), cudaEventDestroy(stop);
  cudaStreamDestroy(first), cudaStreamDestroy(second);
  return elapsed_ms < 0 ? 3 : verdict(got, want);
}
