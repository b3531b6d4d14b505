// Eleven terms of the series are enough near 0 only.
// expect: failed; checks: exp; diagnosis: none
void ewise_exp(const float* a, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) {
    float term = 1.0f, sum = 1.0f;
    for (int n = 1; n <= 10; n++) sum += term *= a[i] / n;
    out[i] = sum;
  }
}
