// Group i starts at element i.
// expect: failed; checks: max, max_negative, garbage, nan; diagnosis: windows-overlap
void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t i = 0; i < out_size; i++) {
    float largest = a[i];
    for (int64_t j = 1; j < reduce_size; j++)
      if (a[i + j] > largest || std::isnan(a[i + j])) largest = a[i + j];
    out[i] = largest;
  }
}
