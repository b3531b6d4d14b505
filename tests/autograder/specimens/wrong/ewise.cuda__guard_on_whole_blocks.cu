// The size is rounded up to whole blocks before the guard compares with it.
// expect: failed; checks: all but exp, log, tanh; diagnosis: none; finding: out-of-bounds
#include "device.cuh"

namespace needle {

#define UNARY(name, expression)                                                   \
  __global__ void name##_kernel(const float* a, float* out, int64_t size) {       \
    const int64_t i = global_index();                                             \
    if (i < size) out[i] = expression;                                            \
  }                                                                               \
  void name(const float* a, float* out, int64_t size) {                           \
    LAUNCH(name##_kernel, blocks_for(size), kThreads, a, out, size);              \
  }
UNARY(ewise_log, logf(a[i]))
UNARY(ewise_exp, expf(a[i]))
UNARY(ewise_tanh, tanhf(a[i]))

enum Operation { kMul, kDiv, kMaximum, kEq, kGe };

__global__ void binary_kernel(int operation, const float* a, const float* b, float* out, int64_t size) {
  const int64_t i = global_index();
  if (i >= size) return;
  const float x = a[i], y = b[i];  // here
  switch (operation) {
    case kMul: out[i] = x * y; break;
    case kDiv: out[i] = x / y; break;
    case kMaximum: out[i] = x > y || isnan(x) ? x : y; break;
    case kEq: out[i] = x == y; break;
    default: out[i] = x >= y;
  }
}

void binary(int operation, const float* a, const float* b, float* out, int64_t size) {
  const int64_t rounded = ceil_div(size, kThreads) * kThreads;
  LAUNCH(binary_kernel, blocks_for(size), kThreads, operation, a, b, out, rounded);
}

void ewise_mul(const float* a, const float* b, float* out, int64_t size) { binary(kMul, a, b, out, size); }
void ewise_div(const float* a, const float* b, float* out, int64_t size) { binary(kDiv, a, b, out, size); }
void ewise_maximum(const float* a, const float* b, float* out, int64_t size) { binary(kMaximum, a, b, out, size); }
void ewise_eq(const float* a, const float* b, float* out, int64_t size) { binary(kEq, a, b, out, size); }
void ewise_ge(const float* a, const float* b, float* out, int64_t size) { binary(kGe, a, b, out, size); }

}  // namespace needle
