// std::fmax takes NaN for a missing value.
// expect: failed; checks: maximum_nan; diagnosis: nan-lost
void ewise_maximum(const float* a, const float* b, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = std::fmax(a[i], b[i]);
}
