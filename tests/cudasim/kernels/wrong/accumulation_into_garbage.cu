// out comes from cudaMalloc and was never set to zero.
#include "../common.h"

__global__ void matmul(const float* a, const float* b, float* out, int m, int n, int p) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || column >= p) return;
  for (int k = 0; k < n; k++) out[row * p + column] += a[row * n + k] * b[k * p + column];  // expect: uninitialised
}

int main() {
  std::vector<float> a = numbers(6 * 7), b = numbers(7 * 5);
  float *d_a = device_copy(a), *d_b = device_copy(b), *out = device_empty(30);
  matmul<<<dim3(1, 1), dim3(8, 8)>>>(d_a, d_b, out, 6, 7, 5);
  return verdict(download(out, 30), product(a, b, 6, 7, 5));
}
