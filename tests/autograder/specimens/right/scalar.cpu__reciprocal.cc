// Divides by multiplying with the reciprocal: one rounding more, and within the bound.
// expect: passed
void scalar_div(const float* a, float value, float* out, int64_t size) {
  const float reciprocal = 1.0f / value;
  for (int64_t i = 0; i < size; i++) out[i] = a[i] * reciprocal;
}
