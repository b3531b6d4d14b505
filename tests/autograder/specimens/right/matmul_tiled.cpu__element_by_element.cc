// No tile product: every element finds its factors by arithmetic.
// expect: passed
void matmul_tiled(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  const int64_t t = 8;
  auto at = [t](int64_t row, int64_t column, int64_t width) {
    return (row / t * (width / t) + column / t) * t * t + row % t * t + column % t;
  };
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < p; j++) {
      float sum = 0.0f;
      for (int64_t k = 0; k < n; k++) sum += a[at(i, k, n)] * b[at(k, j, p)];
      out[at(i, j, p)] = sum;
    }
}
