// The textbook formula loses its digits near 0, and is infinity by infinity for large numbers.
// expect: failed; checks: tanh; diagnosis: tanh-by-exponentials
void ewise_tanh(const float* a, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) {
    const float large = std::exp(2 * a[i]);
    out[i] = (large - 1) / (large + 1);
  }
}
