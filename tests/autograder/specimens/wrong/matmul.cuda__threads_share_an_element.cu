// One thread for each product: all threads of a row and column add to the same element.
// expect: failed; checks: all but inner_zero; diagnosis: none; finding: race
#include "device.cuh"

namespace needle {

__global__ void clear_kernel(float* out, int64_t size) {
  const int64_t i = global_index();
  if (i < size) out[i] = 0.0f;
}

__global__ void matmul_kernel(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  const int64_t t = global_index();
  if (t >= m * n * p) return;
  const int64_t k = t % n, j = t / n % p, i = t / n / p;
  out[i * p + j] += a[i * n + k] * b[k * p + j];  // here
}

void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  LAUNCH(clear_kernel, blocks_for(m * p), kThreads, out, m * p);
  if (n) LAUNCH(matmul_kernel, blocks_for(m * n * p), kThreads, a, b, out, m, n, p);
}

}  // namespace needle
