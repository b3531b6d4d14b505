// A block of 2048 threads is refused, and the launch is not looked at.
// expect: failed; checks: all; diagnosis: none; finding: bad launch
#include "device.cuh"

namespace needle {

enum Operation { kMul, kDiv, kMaximum, kEq, kGe, kLog, kExp, kTanh };

__global__ void kernel(int operation, const float* a, const float* b, float* out, int64_t size) {
  const int64_t i = global_index();
  if (i >= size) return;
  const float x = a[i], y = b[i];
  switch (operation) {
    case kMul: out[i] = x * y; break;
    case kDiv: out[i] = x / y; break;
    case kMaximum: out[i] = x > y || isnan(x) ? x : y; break;
    case kEq: out[i] = x == y; break;
    case kGe: out[i] = x >= y; break;
    case kLog: out[i] = logf(x); break;
    case kExp: out[i] = expf(x); break;
    default: out[i] = tanhf(x);
  }
}

void start(int operation, const float* a, const float* b, float* out, int64_t size) {
  kernel<<<static_cast<unsigned>(ceil_div(size, 2048)), 2048>>>(operation, a, b, out, size);  // here
}

void ewise_mul(const float* a, const float* b, float* out, int64_t size) { start(kMul, a, b, out, size); }
void ewise_div(const float* a, const float* b, float* out, int64_t size) { start(kDiv, a, b, out, size); }
void ewise_maximum(const float* a, const float* b, float* out, int64_t size) { start(kMaximum, a, b, out, size); }
void ewise_eq(const float* a, const float* b, float* out, int64_t size) { start(kEq, a, b, out, size); }
void ewise_ge(const float* a, const float* b, float* out, int64_t size) { start(kGe, a, b, out, size); }
void ewise_log(const float* a, float* out, int64_t size) { start(kLog, a, a, out, size); }
void ewise_exp(const float* a, float* out, int64_t size) { start(kExp, a, a, out, size); }
void ewise_tanh(const float* a, float* out, int64_t size) { start(kTanh, a, a, out, size); }

}  // namespace needle
