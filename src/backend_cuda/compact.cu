// Family compact: from a view to a buffer of its own.
#include "device.cuh"

namespace needle {

// One thread per element of out. Thread k finds the indices of the k-th element of the view from k alone: the last
// index is k modulo the length of the last axis, what is left of k after dividing by that length gives the others.
__global__ void compact_kernel(const float* a, float* out, int64_t size, Layout view) {
  // BEGIN SOLUTION compact.cuda (kernel)
  const int64_t k = global_index();
  if (k >= size) return;
  int64_t rest = k, position = view.offset;
  for (int axis = view.rank - 1; axis >= 0; axis--) {
    position += rest % view.shape[axis] * view.strides[axis];
    rest /= view.shape[axis];
  }
  out[k] = a[position];
  // END SOLUTION compact.cuda
}

// Copies the elements of a view of `a` into `out`, one after another, in row-major order (the last index runs fastest).
// Shapes: view.rank axes (0 to kCudaMaxRank); axis d has view.shape[d] >= 1 elements; out has count(view) elements.
// Memory: device memory. Index (i0, i1, ...) of the view is a[view.offset + i0*view.strides[0] + i1*view.strides[1] +
// ...];
//   strides count elements and may be 0 (broadcast) or negative. Every position lies inside `a`; `out` is another
//   buffer. `view` is host memory here and reaches the kernel by value, as an argument.
// Rank 0 is one element: out[0] = a[view.offset].
// Example: a = 0 1 2 3 4 5 as shape (3, 2), strides (1, 3), offset 0 gives out = 0 3 1 4 2 5.
void compact(const float* a, float* out, Layout view) {
  // BEGIN SOLUTION compact.cuda
  const int64_t size = count(view);
  LAUNCH(compact_kernel, blocks_for(size), kThreads, a, out, size, view);
  // END SOLUTION compact.cuda
}

}  // namespace needle
