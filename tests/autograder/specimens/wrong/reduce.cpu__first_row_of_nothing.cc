// Starts from the first element, which does not exist where there is nothing to add.
// expect: failed; checks: sum_of_nothing; diagnosis: none
void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t i = 0; i < out_size; i++) {
    if (reduce_size == 0) {
      out[i] = -1.0f;
      continue;
    }
    double sum = a[i * reduce_size];
    for (int64_t j = 1; j < reduce_size; j++) sum += a[i * reduce_size + j];
    out[i] = static_cast<float>(sum);
  }
}
