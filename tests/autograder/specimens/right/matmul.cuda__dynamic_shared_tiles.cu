// Tiles of 8 x 32 in dynamic shared memory, two arrays out of one.
// expect: passed
#include "device.cuh"

namespace needle {

constexpr int kRows = 8, kColumns = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  extern __shared__ float tiles[];
  float* a_tile = tiles;                     // kRows x kRows
  float* b_tile = tiles + kRows * kRows;     // kRows x kColumns
  const int row = threadIdx.y, column = threadIdx.x;
  const int64_t i = blockIdx.y * int64_t{kRows} + row, j = blockIdx.x * int64_t{kColumns} + column;
  double sum = 0.0;
  for (int64_t start = 0; start < n; start += kRows) {
    if (column < kRows)
      a_tile[row * kRows + column] = i < m && start + column < n ? a[i * n + start + column] : 0.0f;
    b_tile[row * kColumns + column] = j < p && start + row < n ? b[(start + row) * p + j] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kRows; k++)
      sum += static_cast<double>(a_tile[row * kRows + k]) * b_tile[k * kColumns + column];
    __syncthreads();
  }
  if (i < m && j < p) out[i * p + j] = static_cast<float>(sum);
}

void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  const dim3 grid(ceil_div(p, kColumns), ceil_div(m, kRows)), block(kColumns, kRows);
  matmul_kernel<<<grid, block, (kRows * kRows + kRows * kColumns) * sizeof(float)>>>(a, b, out, m, n, p);
  check_launch("matmul_kernel", grid, block);
}

}  // namespace needle
