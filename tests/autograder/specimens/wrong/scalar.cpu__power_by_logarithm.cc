// exp and log know no negative base.
// expect: failed; checks: power; diagnosis: power-by-logarithm
void scalar_power(const float* a, float value, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = std::exp(value * std::log(a[i]));
}
