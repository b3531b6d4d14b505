// One thread for each product of a row and a column; atomicAdd puts them together after the output was cleared.
// expect: passed
#include "device.cuh"

namespace needle {

__global__ void matmul_kernel(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  const int64_t t = global_index();
  if (t >= m * n * p) return;
  const int64_t k = t % n, j = t / n % p, i = t / n / p;
  atomicAdd(&out[i * p + j], a[i * n + k] * b[k * p + j]);
}

void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  check(cudaMemset(out, 0, m * p * sizeof(float)), "cudaMemset");
  if (n) LAUNCH(matmul_kernel, blocks_for(m * n * p), kThreads, a, b, out, m, n, p);
}

}  // namespace needle
