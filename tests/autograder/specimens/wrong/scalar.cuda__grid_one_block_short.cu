// The number of blocks is rounded down.
// expect: failed; checks: all; diagnosis: none, tail-of-128-missed, tail-of-256-missed, tail-of-64-missed; finding: bad launch
#include "device.cuh"

namespace needle {

enum Operation { kMul, kDiv, kPower, kMaximum, kEq, kGe };

__global__ void kernel(int operation, const float* a, float y, float* out, int64_t size) {
  const int64_t i = global_index();
  if (i >= size) return;
  const float x = a[i];
  switch (operation) {
    case kMul: out[i] = x * y; break;
    case kDiv: out[i] = x / y; break;
    case kPower: out[i] = powf(x, y); break;
    case kMaximum: out[i] = x > y || isnan(x) ? x : y; break;
    case kEq: out[i] = x == y; break;
    default: out[i] = x >= y;
  }
}

void start(int operation, const float* a, float value, float* out, int64_t size) {
  LAUNCH(kernel, static_cast<unsigned>(size / kThreads), kThreads, operation, a, value, out, size);  // here
}

void scalar_mul(const float* a, float value, float* out, int64_t size) { start(kMul, a, value, out, size); }
void scalar_div(const float* a, float value, float* out, int64_t size) { start(kDiv, a, value, out, size); }
void scalar_power(const float* a, float value, float* out, int64_t size) { start(kPower, a, value, out, size); }
void scalar_maximum(const float* a, float value, float* out, int64_t size) { start(kMaximum, a, value, out, size); }
void scalar_eq(const float* a, float value, float* out, int64_t size) { start(kEq, a, value, out, size); }
void scalar_ge(const float* a, float value, float* out, int64_t size) { start(kGe, a, value, out, size); }

}  // namespace needle
