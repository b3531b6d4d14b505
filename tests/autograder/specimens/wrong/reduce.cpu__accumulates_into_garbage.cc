// Adds to what is in `out`.
// expect: failed; checks: sum, sum_rounding, one, garbage, sum_of_nothing, nan; diagnosis: accumulates-into-garbage
void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t k = 0; k < out_size * reduce_size; k++) out[k / reduce_size] += a[k];
}
