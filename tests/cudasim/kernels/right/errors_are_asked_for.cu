// A program that checks every call, and whose refused copy is its own test.
#include "../common.h"

#define CHECK(call)                                                                                    \
  do {                                                                                                 \
    cudaError_t error = (call);                                                                        \
    if (error != cudaSuccess) return printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), 3; \
  } while (0)

__global__ void fill(float* out, float value, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = value;
}

int main() {
  int devices = 0;
  cudaDeviceProp properties;
  float *out, *copy;
  CHECK(cudaGetDeviceCount(&devices));
  CHECK(cudaGetDeviceProperties(&properties, 0));
  CHECK(cudaMalloc(&out, 100 * sizeof(float)));
  CHECK(cudaMalloc(&copy, 100 * sizeof(float)));
  int block = properties.maxThreadsPerBlock < 64 ? properties.maxThreadsPerBlock : 64;
  fill<<<(100 + block - 1) / block, block>>>(out, 2, 100);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(copy, out, 100 * sizeof(float), cudaMemcpyDeviceToDevice));
  std::vector<float> got = download(copy, 100);
  CHECK(cudaFree(out));
  CHECK(cudaFree(copy));
  return devices < 1 ? 3 : verdict(got, std::vector<float>(100, 2.0f));
}
