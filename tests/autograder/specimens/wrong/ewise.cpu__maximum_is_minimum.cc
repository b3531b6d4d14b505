// The comparison points the wrong way, which also loses NaN: two things at once.
// expect: failed; checks: maximum, maximum_nan; diagnosis: computes the smaller of a and b, none
void ewise_maximum(const float* a, const float* b, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = a[i] < b[i] ? a[i] : b[i];
}
