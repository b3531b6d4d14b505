// The accumulator is an integer.
// expect: failed; checks: sum_rounding, nan; diagnosis: whole-numbers-only, none
void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t i = 0; i < out_size; i++) {
    int64_t sum = 0;
    for (int64_t j = 0; j < reduce_size; j++) sum = static_cast<int64_t>(sum + a[i * reduce_size + j]);
    out[i] = static_cast<float>(sum);
  }
}
