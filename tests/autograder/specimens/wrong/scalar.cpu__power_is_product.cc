// Multiplies by the exponent.
// expect: failed; checks: power; diagnosis: computes a * b
void scalar_power(const float* a, float value, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = a[i] * value;
}
