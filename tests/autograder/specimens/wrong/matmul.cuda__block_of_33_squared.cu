// Tiles of 33 x 33 need blocks of 1089 threads, more than a block may have.
// expect: failed; checks: all; diagnosis: none; finding: bad launch
#include "device.cuh"

namespace needle {

constexpr int kSide = 33;

__global__ void matmul_kernel(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  const int64_t i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m || j >= p) return;
  double sum = 0.0;
  for (int64_t k = 0; k < n; k++) sum += static_cast<double>(a[i * n + k]) * b[k * p + j];
  out[i * p + j] = static_cast<float>(sum);
}

void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  const dim3 grid(ceil_div(p, kSide), ceil_div(m, kSide));
  LAUNCH(matmul_kernel, grid, dim3(kSide, kSide), a, b, out, m, n, p);  // here
}

}  // namespace needle
