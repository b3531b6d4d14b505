// std::transform with lambdas and functors.
// expect: passed
#include <functional>
void ewise_mul(const float* a, const float* b, float* out, int64_t size) {
  std::transform(a, a + size, b, out, std::multiplies<float>());
}
void ewise_eq(const float* a, const float* b, float* out, int64_t size) {
  std::transform(a, a + size, b, out, [](float x, float y) { return static_cast<float>(x == y); });
}
void ewise_exp(const float* a, float* out, int64_t size) {
  std::transform(a, a + size, out, [](float x) { return std::exp(x); });
}
