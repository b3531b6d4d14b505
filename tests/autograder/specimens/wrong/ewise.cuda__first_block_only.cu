// One block for all functions of two arrays: elements from 256 on are never computed.
// expect: failed; checks: div, eq, ge, maximum, mul; diagnosis: first-block-only; finding: none
#include "device.cuh"

namespace needle {

#define BINARY(name, expression)                                                                   \
  __global__ void name##_kernel(const float* a, const float* b, float* out, int64_t size) {        \
    const int64_t i = global_index();                                                              \
    if (i < size) out[i] = expression;                                                             \
  }                                                                                                \
  void name(const float* a, const float* b, float* out, int64_t size) {                            \
    LAUNCH(name##_kernel, 1, kThreads, a, b, out, size);                                           \
  }
#define UNARY(name, expression)                                                   \
  __global__ void name##_kernel(const float* a, float* out, int64_t size) {       \
    const int64_t i = global_index();                                             \
    if (i < size) out[i] = expression;                                            \
  }                                                                               \
  void name(const float* a, float* out, int64_t size) {                           \
    LAUNCH(name##_kernel, blocks_for(size), kThreads, a, out, size);              \
  }

BINARY(ewise_mul, a[i] * b[i])
BINARY(ewise_div, a[i] / b[i])
BINARY(ewise_maximum, (a[i] > b[i] || isnan(a[i]) ? a[i] : b[i]))
BINARY(ewise_eq, a[i] == b[i] ? 1.0f : 0.0f)
BINARY(ewise_ge, a[i] >= b[i] ? 1.0f : 0.0f)
UNARY(ewise_log, logf(a[i]))
UNARY(ewise_exp, expf(a[i]))
UNARY(ewise_tanh, tanhf(a[i]))

}  // namespace needle
