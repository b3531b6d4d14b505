#include "device.h"

namespace needle {

namespace {

template <typename Operation>
void each(const float* a, float* out, int64_t size, Operation operation) {
  std::transform(a, a + size, out, operation);
}

}  // namespace

void scalar_add(const float* a, float value, float* out, int64_t size) {
  each(a, out, size, [value](float x) { return x + value; });
}
void scalar_mul(const float* a, float value, float* out, int64_t size) {
  each(a, out, size, [value](float x) { return x * value; });
}
void scalar_div(const float* a, float value, float* out, int64_t size) {
  each(a, out, size, [value](float x) { return x / value; });
}
void scalar_power(const float* a, float value, float* out, int64_t size) {
  each(a, out, size, [value](float x) { return std::pow(x, value); });
}
void scalar_maximum(const float* a, float value, float* out, int64_t size) {
  each(a, out, size, [value](float x) { return std::isnan(x) || x > value ? x : value; });
}
void scalar_eq(const float* a, float value, float* out, int64_t size) {
  each(a, out, size, [value](float x) { return x == value ? 1.0f : 0.0f; });
}
void scalar_ge(const float* a, float value, float* out, int64_t size) {
  each(a, out, size, [value](float x) { return x >= value ? 1.0f : 0.0f; });
}

}  // namespace needle
