// Divides by the number of elements.
// expect: failed; checks: sum, sum_rounding, garbage, one, sum_of_nothing, nan; diagnosis: mean-for-sum
void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t i = 0; i < out_size; i++) {
    double sum = 0.0;
    for (int64_t j = 0; j < reduce_size; j++) sum += a[i * reduce_size + j];
    out[i] = static_cast<float>(sum / reduce_size);
  }
}
