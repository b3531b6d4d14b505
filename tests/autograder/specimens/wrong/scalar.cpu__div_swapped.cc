// Divides the number by the element.
// expect: failed; checks: div; diagnosis: computes b / a
void scalar_div(const float* a, float value, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = value / a[i];
}
