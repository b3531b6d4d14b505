// Family matmul: products of matrices, plain and tiled.
#include "device.h"

namespace needle {

// out = a times b: out[i][j] = the sum over k of a[i][k] * b[k][j].
// Shapes: a is m x n, b is n x p, out is m x p, all row-major; m and p >= 1, n >= 0 (then out is all zeros).
// Memory: flat buffers, a[i][k] at a[i * n + k]; out is neither a nor b and holds garbage before, so every element must
// be
//   written, not added to.
// Hint: with j in the innermost loop both b and out are read along their rows.
void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  // BEGIN SOLUTION matmul.cpu
  std::vector<double> row(static_cast<size_t>(p));  // one row of out, in double until it is complete
  for (int64_t i = 0; i < m; i++) {
    std::fill(row.begin(), row.end(), 0.0);
    for (int64_t k = 0; k < n; k++) {
      const double factor = a[i * n + k];
      for (int64_t j = 0; j < p; j++) row[static_cast<size_t>(j)] += factor * b[k * p + j];
    }
    for (int64_t j = 0; j < p; j++) out[i * p + j] = static_cast<float>(row[static_cast<size_t>(j)]);
  }
  // END SOLUTION matmul.cpu
}

// BEGIN SOLUTION matmul_tiled.cpu (helpers)
namespace {

// sum += a times b, for one tile of each. The sizes are constants and the pointers do not overlap, so the compiler can
// unroll the loops and keep whole rows in vector registers; __restrict__ is true here because `sum` is a local of the
// caller.
void multiply_tile(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ sum) {
  for (int i = 0; i < kTile; i++)
    for (int k = 0; k < kTile; k++)
      for (int j = 0; j < kTile; j++) sum[i * kTile + j] += a[i * kTile + k] * b[k * kTile + j];
}

}  // namespace
// END SOLUTION matmul_tiled.cpu

// The same product for matrices that are stored tile by tile: tile (I, J) of out = the sum over K of tile (I, K) of a
// times tile (K, J) of b. Shapes: with t = kTile, a is [m/t][n/t][t][t], b is [n/t][p/t][t][t], out is
// [m/t][p/t][t][t]; m, n and p count elements
//   and are multiples of t; m and p >= t, n >= 0 (then out is all zeros).
// Memory: tile_at (device.h) finds a tile in each; out is neither a nor b and holds garbage before.
// Numerics: float sums, in the order of k: the error of an element is at most gamma_n times the sum of |a[i][k] *
// b[k][j]|,
//   with gamma_n = n*u / (1 - n*u) and u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms, 3.1).
void matmul_tiled(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  // BEGIN SOLUTION matmul_tiled.cpu
  const int64_t rows = m / kTile, inner = n / kTile, columns = p / kTile;  // in tiles
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < columns; j++) {
      alignas(32) float sum[kTileSize] = {};
      for (int64_t k = 0; k < inner; k++) multiply_tile(tile_at(a, inner, i, k), tile_at(b, columns, k, j), sum);
      std::copy(sum, sum + kTileSize, tile_at(out, columns, i, j));
    }
  }
  // END SOLUTION matmul_tiled.cpu
}

}  // namespace needle
