// The plain comparison.
// expect: failed; checks: nan; diagnosis: nan-lost-unless-first
void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t i = 0; i < out_size; i++) {
    float largest = a[i * reduce_size];
    for (int64_t j = 1; j < reduce_size; j++) largest = std::max(largest, a[i * reduce_size + j]);
    out[i] = largest;
  }
}
