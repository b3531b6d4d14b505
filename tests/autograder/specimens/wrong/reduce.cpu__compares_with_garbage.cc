// Compares with what is in `out`.
// expect: failed; checks: max, max_negative, one, garbage, nan; diagnosis: accumulates-into-garbage
void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t k = 0; k < out_size * reduce_size; k++)
    if (a[k] > out[k / reduce_size]) out[k / reduce_size] = a[k];
}
