// The operands go through shared memory, turned round, and nobody waits for them.
// expect: failed; checks: all but exp, log, tanh; diagnosis: none; finding: uninitialised
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

// Thread t brings the operands of thread kThreads - 1 - t.
__global__ void binary_kernel(int operation, const float* a, const float* b, float* out, int64_t size) {
  __shared__ float left[kThreads], right[kThreads];
  const int64_t i = global_index();
  const int t = threadIdx.x, other = kThreads - 1 - t;
  const int64_t j = i - t + other;
  left[other] = j < size ? a[j] : 0.0f;
  right[other] = j < size ? b[j] : 0.0f;
  if (i >= size) return;
  const float x = left[t], y = right[t];
  switch (operation) {
    case kMul: out[i] = x * y; break;
    case kDiv: out[i] = x / y; break;
    case kMaximum: out[i] = x > y || isnan(x) ? x : y; break;
    case kEq: out[i] = x == y; break;
    default: out[i] = x >= y;
  }
}

void binary(int operation, const float* a, const float* b, float* out, int64_t size) {
  LAUNCH(binary_kernel, blocks_for(size), kThreads, operation, a, b, out, size);
}

void ewise_mul(const float* a, const float* b, float* out, int64_t size) { binary(kMul, a, b, out, size); }
void ewise_div(const float* a, const float* b, float* out, int64_t size) { binary(kDiv, a, b, out, size); }
void ewise_maximum(const float* a, const float* b, float* out, int64_t size) { binary(kMaximum, a, b, out, size); }
void ewise_eq(const float* a, const float* b, float* out, int64_t size) { binary(kEq, a, b, out, size); }
void ewise_ge(const float* a, const float* b, float* out, int64_t size) { binary(kGe, a, b, out, size); }

}  // namespace needle
