// A name that is not declared.
// expect: does not compile; checks: all; diagnosis: none; told: 'length' was not declared
#include "device.cuh"

namespace needle {

__global__ void compact_kernel(const float* a, float* out, int64_t size, Layout view) {
  const int64_t k = global_index();
  if (k < length) out[k] = a[view.offset + k];  // here
}

void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  LAUNCH(compact_kernel, blocks_for(size), kThreads, a, out, size, view);
}

}  // namespace needle
