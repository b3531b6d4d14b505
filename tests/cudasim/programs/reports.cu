// Six mistakes whose reports test_reports.py reads word by word.
#include <cuda_runtime.h>

#include <cstring>
#include <vector>

#define TILE 4

__global__ void FillKernel(float* out, float value, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = value;
}
__global__ void MatmulKernel(const float* a, const float* b, float* out, int n) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float total = 0;
  for (int start = 0; start < n; start += TILE) {
    ta[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; k++) total += ta[threadIdx.y][k] * tb[k][threadIdx.x];
  }
  out[row * n + column] = total;
}
__global__ void SumKernel(const float* a, float* out, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[0] += a[i];
}
__global__ void CompactKernel(const float* a, float* out, const int* shape) {
  out[threadIdx.x] = a[threadIdx.x] * shape[0];
}
__global__ void GuardedFill(float* out, float value, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = value;
}

extern "C" __attribute__((visibility("default"))) int run_case(const char* name) {
  std::vector<float> host(1000, 1.0f);
  std::vector<int> shape(3, 2);
  float *a, *b, *out;
  for (float** array : {&a, &b, &out}) cudaMalloc(array, 1000 * sizeof(float));
  for (float* array : {a, b}) cudaMemcpy(array, host.data(), 1000 * sizeof(float), cudaMemcpyHostToDevice);
  if (!strcmp(name, "guard")) FillKernel<<<4, 256>>>(out, 2, 1000);
  if (!strcmp(name, "barrier")) MatmulKernel<<<dim3(2, 2), dim3(TILE, TILE)>>>(a, b, out, 2 * TILE);
  if (!strcmp(name, "sum")) SumKernel<<<4, 256>>>(a, b, 1000);
  if (!strcmp(name, "host")) CompactKernel<<<1, 32>>>(a, out, shape.data());
  if (!strcmp(name, "grid")) {
    GuardedFill<<<1000 / 256, 256>>>(out, 2, 1000);
    cudaMemcpy(host.data(), out, 1000 * sizeof(float), cudaMemcpyDeviceToHost);
  }
  if (!strcmp(name, "block")) GuardedFill<<<1, dim3(64, 64)>>>(out, 2, 1000);
  for (float* array : {a, b, out}) cudaFree(array);
  return cudaGetLastError();
}
