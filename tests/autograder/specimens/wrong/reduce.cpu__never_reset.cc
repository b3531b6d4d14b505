// One accumulator for all results.
// expect: failed; checks: sum, sum_rounding, one, garbage, nan; diagnosis: never-reset
void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  double sum = 0.0;
  for (int64_t i = 0; i < out_size; i++) {
    for (int64_t j = 0; j < reduce_size; j++) sum += a[i * reduce_size + j];
    out[i] = static_cast<float>(sum);
  }
}
