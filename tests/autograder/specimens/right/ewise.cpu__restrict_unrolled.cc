// Unrolled by four by hand, with the rest at the end.
// expect: passed
void ewise_mul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int64_t size) {
  int64_t i = 0;
  for (; i + 4 <= size; i += 4) {
    out[i] = a[i] * b[i];
    out[i + 1] = a[i + 1] * b[i + 1];
    out[i + 2] = a[i + 2] * b[i + 2];
    out[i + 3] = a[i + 3] * b[i + 3];
  }
  for (; i < size; i++) out[i] = a[i] * b[i];
}
