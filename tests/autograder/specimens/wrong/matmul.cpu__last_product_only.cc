// Assigns where it should add.
// expect: failed; checks: square, rectangular, vector, many, garbage, inner_zero, rounding; diagnosis: last-product-only, untouched
void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  for (int64_t i = 0; i < m; i++)
    for (int64_t k = 0; k < n; k++)
      for (int64_t j = 0; j < p; j++) out[i * p + j] = a[i * n + k] * b[k * p + j];
}
