// From the last element to the first, started from the neutral elements.
// expect: passed
void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t i = out_size - 1; i >= 0; i--) {
    out[i] = 0.0f;
    for (int64_t j = reduce_size; j-- > 0;) out[i] += a[i * reduce_size + j];
  }
}
void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t i = out_size - 1; i >= 0; i--) {
    out[i] = -std::numeric_limits<float>::infinity();
    for (int64_t j = reduce_size; j-- > 0;)
      if (!(a[i * reduce_size + j] <= out[i]) && out[i] == out[i]) out[i] = a[i * reduce_size + j];
  }
}
