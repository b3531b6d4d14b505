// No guard: the threads of the last block without an element write behind the output.
// expect: failed; checks: all; diagnosis: none; finding: out-of-bounds
#include "device.cuh"

namespace needle {

__global__ void compact_kernel(const float* a, float* out, Layout view) {
  const int64_t k = global_index();
  int64_t rest = k, position = view.offset;
  for (int axis = view.rank - 1; axis >= 0; axis--) {
    position += rest % view.shape[axis] * view.strides[axis];
    rest /= view.shape[axis];
  }
  out[k] = a[position];  // here
}

void compact(const float* a, float* out, Layout view) {
  LAUNCH(compact_kernel, blocks_for(count(view)), kThreads, a, out, view);
}

}  // namespace needle
