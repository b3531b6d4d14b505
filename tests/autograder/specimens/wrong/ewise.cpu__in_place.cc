// Works in its own input and copies from there.
// expect: failed; checks: mul; diagnosis: none
void ewise_mul(const float* a, const float* b, float* out, int64_t size) {
  float* work = const_cast<float*>(a);
  for (int64_t i = 0; i < size; i++) work[i] *= b[i];
  std::copy(a, a + size, out);
}
