// Right results, but the input comes back sorted.
// expect: failed; checks: max, max_negative, one, garbage, nan; diagnosis: none
void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t i = 0; i < out_size; i++) {
    float* row = const_cast<float*>(a) + i * reduce_size;
    std::sort(row, row + reduce_size, [](float x, float y) { return !std::isnan(x) && (x < y || std::isnan(y)); });
    out[i] = row[reduce_size - 1];
  }
}
