// The next tiles are loaded while others still use the last ones.
// expect: failed; checks: many, rounding; diagnosis: none; finding: race
#include "device.cuh"

namespace needle {

__global__ void matmul_kernel(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int row = threadIdx.y, column = threadIdx.x;
  const int64_t i = blockIdx.y * int64_t{kTile} + row, j = blockIdx.x * int64_t{kTile} + column;
  double sum = 0.0;
  for (int64_t start = 0; start < n; start += kTile) {
    a_tile[row][column] = i < m && start + column < n ? a[i * n + start + column] : 0.0f;  // here
    b_tile[row][column] = start + row < n && j < p ? b[(start + row) * p + j] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; k++) sum += static_cast<double>(a_tile[row][k]) * b_tile[k][column];
  }
  if (i < m && j < p) out[i * p + j] = static_cast<float>(sum);
}

void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  const dim3 grid(ceil_div(p, kTile), ceil_div(m, kTile));
  LAUNCH(matmul_kernel, grid, dim3(kTile, kTile), a, b, out, m, n, p);
}

}  // namespace needle
