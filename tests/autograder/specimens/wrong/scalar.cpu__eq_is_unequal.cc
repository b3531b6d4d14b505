// Ones and zeros exchanged.
// expect: failed; checks: eq; diagnosis: computes a != b
void scalar_eq(const float* a, float value, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = a[i] == value ? 0.0f : 1.0f;
}
