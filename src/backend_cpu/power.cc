// Family power: one array to the power of another, element by element.
//
// Shapes: a, b and out have size elements each, size > 0.
// Memory: flat buffers, index by index; out may be the same buffer as a or b.
#include "device.h"

namespace needle {

// out[i] = a[i] to the power b[i]. A negative base with a fractional exponent gives NaN, 0 to a negative power an
// infinity, and anything to the power 0 gives 1.
void ewise_power(const float* a, const float* b, float* out, int64_t size) {
  // BEGIN SOLUTION power.cpu
  for (int64_t i = 0; i < size; i++) out[i] = std::pow(a[i], b[i]);
  // END SOLUTION power.cpu
}

}  // namespace needle
