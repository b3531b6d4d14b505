// Written for 256 elements.
// expect: failed; checks: exp; diagnosis: first-block-only
void ewise_exp(const float* a, float* out, int64_t size) {
  for (int64_t i = 0; i < 256 && i < size; i++) out[i] = std::exp(a[i]);
}
