// Right where n equals p.
// expect: failed; checks: rectangular, vector, many, garbage, rounding; diagnosis: b-row-length-n
void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < p; j++) {
      double sum = 0.0;
      for (int64_t k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      out[i * p + j] = static_cast<float>(sum);
    }
}
