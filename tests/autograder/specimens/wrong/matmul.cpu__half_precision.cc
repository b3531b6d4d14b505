// Rounds every product to eleven bits: small whole numbers hide it, real ones do not.
// expect: failed; checks: rounding; diagnosis: none
float rounded(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  bits &= 0xFFFFE000u;
  std::memcpy(&x, &bits, 4);
  return x;
}
void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < p; j++) {
      double sum = 0.0;
      for (int64_t k = 0; k < n; k++) sum += rounded(a[i * n + k] * b[k * p + j]);
      out[i * p + j] = static_cast<float>(sum);
    }
}
