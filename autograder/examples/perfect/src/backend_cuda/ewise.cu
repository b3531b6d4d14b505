#include "device.cuh"

namespace needle {

#define BINARY(name, expression)                                                             \
  __global__ void name##_threads(const float* a, const float* b, float* out, int64_t size) { \
    const int64_t i = global_index();                                                        \
    if (i >= size) return;                                                                   \
    const float x = a[i], y = b[i];                                                          \
    out[i] = expression;                                                                     \
  }                                                                                          \
  void ewise_##name(const float* a, const float* b, float* out, int64_t size) {              \
    LAUNCH(name##_threads, blocks_for(size), kThreads, a, b, out, size);                     \
  }
#define UNARY(name, function)                                                \
  __global__ void name##_threads(const float* a, float* out, int64_t size) { \
    const int64_t i = global_index();                                        \
    if (i < size) out[i] = function(a[i]);                                   \
  }                                                                          \
  void ewise_##name(const float* a, float* out, int64_t size) {              \
    LAUNCH(name##_threads, blocks_for(size), kThreads, a, out, size);        \
  }

BINARY(add, x + y)
BINARY(mul, x* y)
BINARY(div, x / y)
BINARY(maximum, isnan(x) || x > y ? x : y)
BINARY(eq, x == y ? 1.0f : 0.0f)
BINARY(ge, x >= y ? 1.0f : 0.0f)
UNARY(log, logf)
UNARY(exp, expf)
UNARY(tanh, tanhf)

}  // namespace needle
