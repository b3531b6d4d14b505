// Whole blocks of 8 by 8 only.
// expect: failed; checks: square, rectangular, vector, many, garbage, inner_zero, rounding; diagnosis: edge-blocks-of-8-missed
void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  for (int64_t i = 0; i < m / 8 * 8; i++)
    for (int64_t j = 0; j < p / 8 * 8; j++) {
      double sum = 0.0;
      for (int64_t k = 0; k < n; k++) sum += a[i * n + k] * b[k * p + j];
      out[i * p + j] = static_cast<float>(sum);
    }
}
