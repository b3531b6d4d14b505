#include "device.cuh"

namespace needle {

// One thread per element of out, no shared memory.
__global__ void row_times_column(const float* a, const float* b, float* out, int64_t n, int64_t p, int64_t size) {
  const int64_t k = global_index();
  if (k >= size) return;
  const int64_t i = k / p, j = k % p;
  double sum = 0;
  for (int64_t l = 0; l < n; l++) sum += static_cast<double>(a[i * n + l]) * b[l * p + j];
  out[k] = static_cast<float>(sum);
}

void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  LAUNCH(row_times_column, blocks_for(m * p), kThreads, a, b, out, n, p, m * p);
}

}  // namespace needle
