// The tiles of b are counted by the width of a.
// expect: failed; checks: rectangular, rounding; diagnosis: b-by-left-width, none
void matmul_tiled(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  const int64_t t = 8, rows = m / t, inner = n / t, columns = p / t;
  std::fill(out, out + m * p, 0.0f);
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++)
      for (int64_t k = 0; k < inner; k++)
        for (int64_t e = 0; e < t * t * t; e++)
          out[(i * columns + j) * t * t + e / (t * t) * t + e % t] +=
              a[(i * inner + k) * t * t + e / t] * b[(k * inner + j) * t * t + e / t % t * t + e % t];
}
