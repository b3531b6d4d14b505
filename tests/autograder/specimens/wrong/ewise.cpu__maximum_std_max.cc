// std::max keeps its first argument where the comparison fails.
// expect: failed; checks: maximum_nan; diagnosis: nan-lost-on-the-right
void ewise_maximum(const float* a, const float* b, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = std::max(a[i], b[i]);
}
