// fmaxf gives the number where one side is NaN.
// expect: failed; checks: maximum_nan; diagnosis: nan-lost; finding: none
#include "device.cuh"

namespace needle {

template <typename Operation>
__global__ void binary_kernel(const float* a, const float* b, float* out, int64_t size, Operation operation) {
  const int64_t i = global_index();
  if (i < size) out[i] = operation(a[i], b[i]);
}

template <typename Operation>
__global__ void unary_kernel(const float* a, float* out, int64_t size, Operation operation) {
  const int64_t i = global_index();
  if (i < size) out[i] = operation(a[i]);
}

#define BINARY(name, expression)                                                                        \
  void name(const float* a, const float* b, float* out, int64_t size) {                                 \
    const auto operation = [] __device__(float x, float y) -> float { return expression; };             \
    LAUNCH(binary_kernel, blocks_for(size), kThreads, a, b, out, size, operation);                      \
  }
#define UNARY(name, expression)                                                                  \
  void name(const float* a, float* out, int64_t size) {                                          \
    const auto operation = [] __device__(float x) -> float { return expression; };               \
    LAUNCH(unary_kernel, blocks_for(size), kThreads, a, out, size, operation);                   \
  }

BINARY(ewise_mul, x * y)
BINARY(ewise_div, x / y)
BINARY(ewise_maximum, fmaxf(x, y))
BINARY(ewise_eq, x == y)
BINARY(ewise_ge, x >= y)
UNARY(ewise_log, logf(x))
UNARY(ewise_exp, expf(x))
UNARY(ewise_tanh, tanhf(x))

}  // namespace needle
