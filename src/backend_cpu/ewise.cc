// Family ewise: one operation on every element, of two arrays or of one.
//
// Shapes: a, b and out have size elements each, size > 0.
// Memory: flat buffers, index by index; out may be the same buffer as a or b.
#include "device.h"

namespace needle {

// out[i] = a[i] + b[i]. Given, as the example for the functions below.
void ewise_add(const float* a, const float* b, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = a[i] + b[i];
}

// out[i] = a[i] * b[i].
void ewise_mul(const float* a, const float* b, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cpu
  for (int64_t i = 0; i < size; i++) out[i] = a[i] * b[i];
  // END SOLUTION ewise.cpu
}

// out[i] = a[i] / b[i]; IEEE arithmetic: x/0 is inf or NaN, never an error.
void ewise_div(const float* a, const float* b, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cpu
  for (int64_t i = 0; i < size; i++) out[i] = a[i] / b[i];
  // END SOLUTION ewise.cpu
}

// out[i] = the larger of a[i] and b[i]; NaN where either is NaN (NumPy's maximum), whatever their order.
void ewise_maximum(const float* a, const float* b, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cpu
  for (int64_t i = 0; i < size; i++) out[i] = a[i] > b[i] || std::isnan(a[i]) ? a[i] : b[i];
  // END SOLUTION ewise.cpu
}

// out[i] = 1 where a[i] == b[i], else 0; NaN equals nothing.
void ewise_eq(const float* a, const float* b, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cpu
  for (int64_t i = 0; i < size; i++) out[i] = a[i] == b[i] ? 1.0f : 0.0f;
  // END SOLUTION ewise.cpu
}

// out[i] = 1 where a[i] >= b[i], else 0; a comparison with NaN is 0.
void ewise_ge(const float* a, const float* b, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cpu
  for (int64_t i = 0; i < size; i++) out[i] = a[i] >= b[i] ? 1.0f : 0.0f;
  // END SOLUTION ewise.cpu
}

// out[i] = the natural logarithm of a[i]; -inf at 0, NaN below.
void ewise_log(const float* a, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cpu
  for (int64_t i = 0; i < size; i++) out[i] = std::log(a[i]);
  // END SOLUTION ewise.cpu
}

// out[i] = e to the power a[i].
void ewise_exp(const float* a, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cpu
  for (int64_t i = 0; i < size; i++) out[i] = std::exp(a[i]);
  // END SOLUTION ewise.cpu
}

// out[i] = the hyperbolic tangent of a[i].
void ewise_tanh(const float* a, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cpu
  for (int64_t i = 0; i < size; i++) out[i] = std::tanh(a[i]);
  // END SOLUTION ewise.cpu
}

}  // namespace needle
