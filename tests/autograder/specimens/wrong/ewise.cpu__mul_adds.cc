// Copied from ewise_add, and the operator forgotten.
// expect: failed; checks: mul; diagnosis: computes a + b
void ewise_mul(const float* a, const float* b, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = a[i] + b[i];
}
