// Nearly equal is not equal.
// expect: failed; checks: eq; diagnosis: eq-by-tolerance
void ewise_eq(const float* a, const float* b, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = a[i] == b[i] || std::fabs(a[i] - b[i]) < 1e-5f;
}
