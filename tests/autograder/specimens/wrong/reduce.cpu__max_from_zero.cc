// Starts from 0.
// expect: failed; checks: max_negative; diagnosis: max-from-zero
void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t i = 0; i < out_size; i++) {
    float largest = 0.0f;
    for (int64_t j = 0; j < reduce_size; j++)
      if (a[i * reduce_size + j] > largest || std::isnan(a[i * reduce_size + j])) largest = a[i * reduce_size + j];
    out[i] = largest;
  }
}
