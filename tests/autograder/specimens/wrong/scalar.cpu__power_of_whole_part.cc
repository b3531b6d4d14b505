// A loop over the whole part of the exponent.
// expect: failed; checks: power; diagnosis: power-of-whole-part
void scalar_power(const float* a, float value, float* out, int64_t size) {
  const int exponent = static_cast<int>(value);
  for (int64_t i = 0; i < size; i++) {
    double result = 1.0;
    for (int n = 0; n < std::abs(exponent); n++) result *= a[i];
    out[i] = static_cast<float>(exponent < 0 ? 1.0 / result : result);
  }
}
