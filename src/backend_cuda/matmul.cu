// Family matmul: the product of two matrices.
#include "device.cuh"

namespace needle {

// One block per tile of out, one thread per element of the tile. For each step along k the block brings one tile of a
// and one of b into shared memory, where every element is read kTile times.
__global__ void matmul_kernel(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  // BEGIN SOLUTION matmul.cuda (kernel)
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int row = threadIdx.y, column = threadIdx.x;
  const int64_t tile_rows = ceil_div(m, kTile), tile_columns = ceil_div(p, kTile);
  for (int64_t tile = blockIdx.x; tile < tile_rows * tile_columns; tile += gridDim.x) {
    const int64_t i = tile / tile_columns * kTile + row, j = tile % tile_columns * kTile + column;
    double sum = 0.0;
    for (int64_t start = 0; start < n; start += kTile) {
      a_tile[row][column] = i < m && start + column < n ? a[i * n + start + column] : 0.0f;  // zeros beyond the edges
      b_tile[row][column] = start + row < n && j < p ? b[(start + row) * p + j] : 0.0f;
      __syncthreads();  // both tiles are complete
      for (int k = 0; k < kTile; k++) sum += static_cast<double>(a_tile[row][k]) * b_tile[k][column];
      __syncthreads();  // both tiles have been read, and may be overwritten
    }
    if (i < m && j < p) out[i * p + j] = static_cast<float>(sum);
  }
  // END SOLUTION matmul.cuda
}

// out = a times b: out[i][j] = the sum over k of a[i][k] * b[k][j].
// Shapes: a is m x n, b is n x p, out is m x p, all row-major; m and p >= 1, n >= 0 (then out is all zeros). No size
// needs to
//   be a multiple of kTile, and any may be 1 or very large: a grid has at most kMaxBlocks blocks in x and 65535 in y.
// Memory: flat buffers on the device, a[i][k] at a[i * n + k]; out is neither a nor b and holds garbage before, so
// every
//   element must be written, not added to.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, the chapter on memory: tiled matrix multiplication.
void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  // BEGIN SOLUTION matmul.cuda
  const int64_t tiles = ceil_div(m, kTile) * ceil_div(p, kTile);
  LAUNCH(matmul_kernel, blocks_up_to(tiles), dim3(kTile, kTile), a, b, out, m, n, p);
  // END SOLUTION matmul.cuda
}

}  // namespace needle
