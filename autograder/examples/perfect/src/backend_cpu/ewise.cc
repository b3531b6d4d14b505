#include "device.h"

namespace needle {

#define BINARY(name, result)                                                       \
  void ewise_##name(const float* a, const float* b, float* out, int64_t size) {    \
    for (int64_t i = 0; i < size; i++) {                                           \
      const float x = a[i], y = b[i];                                              \
      out[i] = result;                                                             \
    }                                                                              \
  }
#define UNARY(name)                                                                \
  void ewise_##name(const float* a, float* out, int64_t size) {                    \
    for (int64_t i = 0; i < size; i++) out[i] = std::name(a[i]);                   \
  }

BINARY(add, x + y)
BINARY(mul, x * y)
BINARY(div, x / y)
BINARY(maximum, std::isnan(x) || x > y ? x : y)
BINARY(eq, static_cast<float>(x == y))
BINARY(ge, static_cast<float>(x >= y))
UNARY(log)
UNARY(exp)
UNARY(tanh)

}  // namespace needle
