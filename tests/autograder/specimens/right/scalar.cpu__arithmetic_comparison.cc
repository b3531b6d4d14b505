// Comparisons without a branch, and a maximum made of them.
// expect: passed
void scalar_ge(const float* a, float value, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = static_cast<float>(static_cast<int>(a[i] > value) | static_cast<int>(a[i] == value));
}
void scalar_maximum(const float* a, float value, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = std::isunordered(a[i], value) ? a[i] + value : std::fmax(value, a[i]);
}
