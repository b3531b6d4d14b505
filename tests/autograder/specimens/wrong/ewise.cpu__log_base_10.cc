// Another logarithm.
// expect: failed; checks: log; diagnosis: computes log10(a)
void ewise_log(const float* a, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = std::log10(a[i]);
}
