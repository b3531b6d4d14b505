// std::max with the number first keeps the number where the element is NaN.
// expect: failed; checks: maximum_nan; diagnosis: nan-lost-on-the-left
void scalar_maximum(const float* a, float value, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = std::max(value, a[i]);
}
