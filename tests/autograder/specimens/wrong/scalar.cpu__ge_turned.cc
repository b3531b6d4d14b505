// The comparison points the wrong way.
// expect: failed; checks: ge; diagnosis: computes b >= a
void scalar_ge(const float* a, float value, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = value >= a[i] ? 1.0f : 0.0f;
}
