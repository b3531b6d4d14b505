// Kahan's compensated sum.
// expect: passed
void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  for (int64_t i = 0; i < out_size; i++) {
    volatile float sum = 0.0f, lost = 0.0f;
    for (int64_t j = 0; j < reduce_size; j++) {
      const float next = a[i * reduce_size + j] - lost, total = sum + next;
      lost = (total - sum) - next;
      sum = total;
    }
    out[i] = sum;
  }
}
