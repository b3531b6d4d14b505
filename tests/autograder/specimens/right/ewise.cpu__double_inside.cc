// Everything in double, rounded once at the end.
// expect: passed
void ewise_log(const float* a, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = static_cast<float>(std::log(static_cast<double>(a[i])));
}
void ewise_exp(const float* a, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = static_cast<float>(std::exp(static_cast<double>(a[i])));
}
void ewise_tanh(const float* a, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) {
    const double small = std::expm1(-2.0 * std::fabs(static_cast<double>(a[i])));
    out[i] = static_cast<float>(std::copysign(-small / (small + 2.0), a[i]));
  }
}
