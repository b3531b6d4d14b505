#include "device.h"

namespace needle {

void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < p; j++) {
      double sum = 0;
      for (int64_t k = 0; k < n; k++) sum += static_cast<double>(a[i * n + k]) * b[k * p + j];
      out[i * p + j] = static_cast<float>(sum);
    }
}

void matmul_tiled(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  std::fill(out, out + m * p, 0.0f);
  for (int64_t row = 0; row < m / kTile; row++)
    for (int64_t column = 0; column < p / kTile; column++)
      for (int64_t inner = 0; inner < n / kTile; inner++) {
        const float* left = tile_at(a, n / kTile, row, inner);
        const float* right = tile_at(b, p / kTile, inner, column);
        float* sum = tile_at(out, p / kTile, row, column);
        for (int i = 0; i < kTile; i++)
          for (int j = 0; j < kTile; j++)
            for (int k = 0; k < kTile; k++) sum[i * kTile + j] += left[i * kTile + k] * right[k * kTile + j];
      }
}

}  // namespace needle
