// Unrolled by eight, without the rest.
// expect: failed; checks: mul; diagnosis: tail-of-8-missed
void ewise_mul(const float* a, const float* b, float* out, int64_t size) {
  for (int64_t i = 0; i + 8 <= size; i += 8)
    for (int64_t j = i; j < i + 8; j++) out[j] = a[j] * b[j];
}
