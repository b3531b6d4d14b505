#include "device.cuh"

namespace needle {

#define SCALAR(name, expression)                                                      \
  __global__ void name##_threads(const float* a, float y, float* out, int64_t size) { \
    const int64_t i = global_index();                                                 \
    if (i >= size) return;                                                            \
    const float x = a[i];                                                             \
    out[i] = expression;                                                              \
  }                                                                                   \
  void scalar_##name(const float* a, float value, float* out, int64_t size) {         \
    LAUNCH(name##_threads, blocks_for(size), kThreads, a, value, out, size);          \
  }

SCALAR(add, x + y)
SCALAR(mul, x* y)
SCALAR(div, x / y)
SCALAR(power, powf(x, y))
SCALAR(maximum, isnan(x) || x > y ? x : y)
SCALAR(eq, x == y ? 1.0f : 0.0f)
SCALAR(ge, x >= y ? 1.0f : 0.0f)

}  // namespace needle
