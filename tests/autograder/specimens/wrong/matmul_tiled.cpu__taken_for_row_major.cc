// Multiplies as if nothing were tiled; a single tile hides it.
// expect: failed; checks: square, rectangular, garbage, rounding; diagnosis: taken-for-row-major
void matmul_tiled(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < p; j++) {
      double sum = 0.0;
      for (int64_t k = 0; k < n; k++) sum += a[i * n + k] * b[k * p + j];
      out[i * p + j] = static_cast<float>(sum);
    }
}
