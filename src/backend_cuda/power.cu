// Family power: one array to the power of another, element by element.
//
// Shapes: a, b and out have size elements each, size > 0.
// Memory: flat buffers on the device, index by index; out may be the same buffer as a or b.
#include "device.cuh"

namespace needle {

// BEGIN SOLUTION power.cuda (kernel)
// One thread per element; the threads of the last block without an element do nothing.
__global__ void ewise_power_kernel(const float* a, const float* b, float* out, int64_t size) {
  const int64_t i = global_index();
  if (i < size) out[i] = powf(a[i], b[i]);
}
// END SOLUTION power.cuda

// out[i] = a[i] to the power b[i]. A negative base with a fractional exponent gives NaN, 0 to a negative power an
// infinity, and anything to the power 0 gives 1.
void ewise_power(const float* a, const float* b, float* out, int64_t size) {
  // BEGIN SOLUTION power.cuda
  LAUNCH(ewise_power_kernel, blocks_for(size), kThreads, a, b, out, size);
  // END SOLUTION power.cuda
}

}  // namespace needle
