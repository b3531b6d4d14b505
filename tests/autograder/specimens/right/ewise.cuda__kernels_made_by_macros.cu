// Kernels pasted together by macros; each thread does four elements.
// expect: passed
#include "device.cuh"

namespace needle {

#define EACH                                                                            \
  for (int64_t i = global_index(), end = i + 4 * int64_t{gridDim.x} * blockDim.x; i < end; \
       i += int64_t{gridDim.x} * blockDim.x)                                            \
    if (i < size)
#define BINARY(name, expression)                                                             \
  __global__ void name##_kernel(const float* a, const float* b, float* out, int64_t size) {  \
    EACH { const float x = a[i], y = b[i]; out[i] = expression; }                            \
  }                                                                                          \
  void name(const float* a, const float* b, float* out, int64_t size) {                      \
    LAUNCH(name##_kernel, blocks_for(ceil_div(size, 4)), kThreads, a, b, out, size);         \
  }
#define UNARY(name, expression)                                                      \
  __global__ void name##_kernel(const float* a, float* out, int64_t size) {          \
    EACH { const float x = a[i]; out[i] = expression; }                              \
  }                                                                                  \
  void name(const float* a, float* out, int64_t size) {                              \
    LAUNCH(name##_kernel, blocks_for(ceil_div(size, 4)), kThreads, a, out, size);    \
  }

BINARY(ewise_mul, x * y)
BINARY(ewise_div, x / y)
BINARY(ewise_maximum, x > y || isnan(x) ? x : y)
BINARY(ewise_eq, x == y ? 1.0f : 0.0f)
BINARY(ewise_ge, x >= y ? 1.0f : 0.0f)
UNARY(ewise_log, logf(x))
UNARY(ewise_exp, expf(x))
UNARY(ewise_tanh, tanhf(x))

}  // namespace needle
