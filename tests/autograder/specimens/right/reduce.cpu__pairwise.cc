// Halves, recursively; the maximum too.
// expect: passed
float sum_of(const float* a, int64_t n) {
  return n == 0 ? 0.0f : n == 1 ? a[0] : sum_of(a, n / 2) + sum_of(a + n / 2, n - n / 2);
}
float max_of(const float* a, int64_t n) {
  if (n == 1) return a[0];
  const float left = max_of(a, n / 2), right = max_of(a + n / 2, n - n / 2);
  return std::isnan(left) || left > right ? left : right;
}
void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t i = 0; i < out_size; i++) out[i] = sum_of(a + i * reduce_size, reduce_size);
}
void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t i = 0; i < out_size; i++) out[i] = max_of(a + i * reduce_size, reduce_size);
}
