// Family fill, given: a kernel, its guard and its launch.
#include "device.cuh"

namespace needle {

// One thread per element. The grid has whole blocks, so the last one has threads without an element: the guard.
__global__ void fill_kernel(float* out, float value, int64_t size) {
  const int64_t i = global_index();
  if (i < size) out[i] = value;
}

// Sets every element of a buffer.
// Shapes: out has size elements, size > 0.
// Memory: device memory; the whole buffer is written, whatever views of it exist.
void fill(float* out, float value, int64_t size) { LAUNCH(fill_kernel, blocks_for(size), kThreads, out, value, size); }

}  // namespace needle
