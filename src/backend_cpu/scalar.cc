// Family scalar: one operation on every element and the same number.
//
// Shapes: a and out have size elements each, size > 0.
// Memory: flat buffers, index by index; out may be the same buffer as a.
#include "device.h"

namespace needle {

// out[i] = a[i] + value. Given, as the example for the functions below.
void scalar_add(const float* a, float value, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = a[i] + value;
}

// out[i] = a[i] * value.
void scalar_mul(const float* a, float value, float* out, int64_t size) {
  // BEGIN SOLUTION scalar.cpu
  for (int64_t i = 0; i < size; i++) out[i] = a[i] * value;
  // END SOLUTION scalar.cpu
}

// out[i] = a[i] / value; IEEE arithmetic: x/0 is inf or NaN, never an error.
void scalar_div(const float* a, float value, float* out, int64_t size) {
  // BEGIN SOLUTION scalar.cpu
  for (int64_t i = 0; i < size; i++) out[i] = a[i] / value;
  // END SOLUTION scalar.cpu
}

// out[i] = a[i] to the power value, a real power: a negative base with a fractional exponent is NaN, x to the power 0
// is 1.
void scalar_power(const float* a, float value, float* out, int64_t size) {
  // BEGIN SOLUTION scalar.cpu
  for (int64_t i = 0; i < size; i++) out[i] = std::pow(a[i], value);
  // END SOLUTION scalar.cpu
}

// out[i] = the larger of a[i] and value; NaN where either is NaN (NumPy's maximum), whatever their order.
void scalar_maximum(const float* a, float value, float* out, int64_t size) {
  // BEGIN SOLUTION scalar.cpu
  for (int64_t i = 0; i < size; i++) out[i] = a[i] > value || std::isnan(a[i]) ? a[i] : value;
  // END SOLUTION scalar.cpu
}

// out[i] = 1 where a[i] == value, else 0; NaN equals nothing.
void scalar_eq(const float* a, float value, float* out, int64_t size) {
  // BEGIN SOLUTION scalar.cpu
  for (int64_t i = 0; i < size; i++) out[i] = a[i] == value ? 1.0f : 0.0f;
  // END SOLUTION scalar.cpu
}

// out[i] = 1 where a[i] >= value, else 0; a comparison with NaN is 0.
void scalar_ge(const float* a, float value, float* out, int64_t size) {
  // BEGIN SOLUTION scalar.cpu
  for (int64_t i = 0; i < size; i++) out[i] = a[i] >= value ? 1.0f : 0.0f;
  // END SOLUTION scalar.cpu
}

}  // namespace needle
