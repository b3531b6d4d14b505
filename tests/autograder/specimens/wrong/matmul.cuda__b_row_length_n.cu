// Rows of b are taken to be n long instead of p.
// expect: failed; checks: all but inner_zero, square; diagnosis: b-row-length-n, none; finding: out-of-bounds
#include "device.cuh"

namespace needle {

__global__ void matmul_kernel(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  const int64_t i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m || j >= p) return;
  double sum = 0.0;
  for (int64_t k = 0; k < n; k++) sum += static_cast<double>(a[i * n + k]) * b[k * n + j];
  out[i * p + j] = static_cast<float>(sum);
}

void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  const dim3 grid(ceil_div(p, kTile), ceil_div(m, kTile));
  LAUNCH(matmul_kernel, grid, dim3(kTile, kTile), a, b, out, m, n, p);
}

}  // namespace needle
