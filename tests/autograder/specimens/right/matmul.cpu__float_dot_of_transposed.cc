// Transposes b first, then takes running float sums.
// expect: passed
void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  std::vector<float> turned(n * p);
  for (int64_t k = 0; k < n * p; k++) turned[k % p * n + k / p] = b[k];
  for (int64_t e = 0; e < m * p; e++) {
    float sum = 0.0f;
    for (int64_t k = 0; k < n; k++) sum += a[e / p * n + k] * turned[e % p * n + k];
    out[e] = sum;
  }
}
