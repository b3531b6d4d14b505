// Whole exponents by repeated multiplication, in double; all others by pow.
// expect: passed
double whole_power(double base, unsigned exponent) {
  return exponent == 0 ? 1.0 : (exponent % 2 ? base : 1.0) * whole_power(base * base, exponent / 2);
}
void scalar_power(const float* a, float value, float* out, int64_t size) {
  const bool whole = value == std::floor(value) && std::fabs(value) < 64;
  for (int64_t i = 0; i < size; i++) {
    const double base = a[i], part = whole ? whole_power(base, static_cast<unsigned>(std::fabs(value))) : 0.0;
    out[i] = static_cast<float>(!whole ? std::pow(base, static_cast<double>(value)) : value < 0 ? 1.0 / part : part);
  }
}
