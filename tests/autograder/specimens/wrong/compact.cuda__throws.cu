// A view of more than two axes ends the kernel with an exception.
// expect: failed; checks: all; diagnosis: none; finding: exception
#include "device.cuh"

namespace needle {

__device__ int64_t position_of(int64_t k, const Layout& view) {
  if (view.rank > 2) throw std::runtime_error("more than two axes");
  int64_t position = view.offset;
  for (int axis = view.rank - 1; axis >= 0; axis--) {
    position += k % view.shape[axis] * view.strides[axis];
    k /= view.shape[axis];
  }
  return position;
}

__global__ void compact_kernel(const float* a, float* out, int64_t size, Layout view) {
  const int64_t k = global_index();
  if (k < size) out[k] = a[position_of(k, view)];
}

void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  LAUNCH(compact_kernel, blocks_for(size), kThreads, a, out, size, view);
}

}  // namespace needle
