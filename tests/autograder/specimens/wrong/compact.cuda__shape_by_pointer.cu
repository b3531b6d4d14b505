// Shape and strides reach the kernel as pointers to host memory.
// expect: failed; checks: all; diagnosis: none; finding: host pointer
#include "device.cuh"

namespace needle {

__global__ void compact_kernel(const float* a, float* out, int64_t size, const int64_t* shape, const int64_t* strides,
                               int rank, int64_t offset) {
  const int64_t k = global_index();
  if (k >= size) return;
  int64_t rest = k, position = offset;
  for (int axis = rank - 1; axis >= 0; axis--) {
    const int64_t length = shape[axis];  // here
    position += rest % length * strides[axis];
    rest /= length;
  }
  out[k] = a[position];
}

void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  LAUNCH(compact_kernel, blocks_for(size), kThreads, a, out, size, view.shape, view.strides, view.rank, view.offset);
}

}  // namespace needle
