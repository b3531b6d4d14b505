// "Not less" is something else where NaN is about.
// expect: failed; checks: ge; diagnosis: ge-not-less
void ewise_ge(const float* a, const float* b, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = !(a[i] < b[i]);
}
