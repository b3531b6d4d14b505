// Compares bytes: 0.0 and -0.0 differ, and NaN equals itself.
// expect: failed; checks: eq; diagnosis: eq-by-bits
void ewise_eq(const float* a, const float* b, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = std::memcmp(a + i, b + i, sizeof(float)) == 0;
}
