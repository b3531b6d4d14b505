// Family fill, given: the smallest kernel there is.
#include "device.h"

namespace needle {

// Sets every element of a buffer.
// Shapes: out has size elements, size > 0.
// Memory: the whole buffer is written, whatever views of it exist.
void fill(float* out, float value, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = value;
}

}  // namespace needle
