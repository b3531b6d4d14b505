// One letter is missing.
// expect: failed; checks: tanh; diagnosis: computes tan(a)
void ewise_tanh(const float* a, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = std::tan(a[i]);
}
