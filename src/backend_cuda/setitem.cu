// Family setitem: writing through a view. The reverse of compact.
#include "device.cuh"

namespace needle {

// BEGIN SOLUTION setitem.cuda (kernel)
// Where the k-th element of a view lies, in row-major order.
__device__ int64_t position_of(int64_t k, const Layout& view) {
  int64_t position = view.offset;
  for (int axis = view.rank - 1; axis >= 0; axis--) {
    position += k % view.shape[axis] * view.strides[axis];
    k /= view.shape[axis];
  }
  return position;
}

__global__ void ewise_setitem_kernel(const float* a, float* out, int64_t size, Layout view) {
  const int64_t k = global_index();
  if (k < size) out[position_of(k, view)] = a[k];
}

__global__ void scalar_setitem_kernel(float value, float* out, int64_t size, Layout view) {
  const int64_t k = global_index();
  if (k < size) out[position_of(k, view)] = value;
}
// END SOLUTION setitem.cuda

// Stores the elements of `a`, one after another, at the places of a view of `out`, in row-major order of the view.
// Shapes: view.rank axes (0 to kCudaMaxRank); axis d has view.shape[d] >= 1 elements; `a` has count(view) elements.
// Memory: device memory. Index (i0, i1, ...) of the view is out[view.offset + i0*view.strides[0] + i1*view.strides[1] +
// ...];
//   strides count elements and may be negative. The view belongs to `out`, not to `a`; every position lies inside
//   `out`, no two indices share one (so no two threads write one element), and `a` is another buffer. Elements of `out`
//   that the view does not reach stay as they are. `view` is host memory here and reaches a kernel by value, as an
//   argument.
// Rank 0 is one element: out[view.offset] = a[0].
// Example: a = 7 8 into shape (2, 1), strides (3, 1), offset 1 of out = 0 1 2 3 4 5 gives out = 0 7 2 3 8 5.
void ewise_setitem(const float* a, float* out, Layout view) {
  // BEGIN SOLUTION setitem.cuda
  const int64_t size = count(view);
  LAUNCH(ewise_setitem_kernel, blocks_for(size), kThreads, a, out, size, view);
  // END SOLUTION setitem.cuda
}

// Stores one value at every place of a view of `out`.
// Shapes, Memory: the view and `out` as in ewise_setitem.
void scalar_setitem(float value, float* out, Layout view) {
  // BEGIN SOLUTION setitem.cuda
  const int64_t size = count(view);
  LAUNCH(scalar_setitem_kernel, blocks_for(size), kThreads, value, out, size, view);
  // END SOLUTION setitem.cuda
}

}  // namespace needle
