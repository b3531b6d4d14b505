// Dividend and divisor swapped.
// expect: failed; checks: div; diagnosis: computes b / a
void ewise_div(const float* a, const float* b, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = b[i] / a[i];
}
