// A running float sum.
// expect: passed
void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t i = 0; i < out_size; i++) {
    float sum = 0.0f;
    for (int64_t j = 0; j < reduce_size; j++) sum += a[i * reduce_size + j];
    out[i] = sum;
  }
}
