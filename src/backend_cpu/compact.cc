// Family compact: from a view to a buffer of its own.
#include "device.h"

namespace needle {

// Copies the elements of a view of `a` into `out`, one after another, in row-major order (the last index runs fastest).
// Shapes: view.rank axes (0 to kMaxRank); axis d has view.shape[d] >= 1 elements; out has count(view) elements.
// Memory: index (i0, i1, ...) of the view is a[view.offset + i0*view.strides[0] + i1*view.strides[1] + ...]; strides
// count
//   elements and may be 0 (broadcast) or negative. Every position lies inside `a`, and `out` is another buffer.
// Rank 0 is one element: out[0] = a[view.offset].
// Example: a = 0 1 2 3 4 5 as shape (3, 2), strides (1, 3), offset 0 gives out = 0 3 1 4 2 5.
// Hint: count through the indices like an odometer, and move the position along with them.
void compact(const float* a, float* out, Layout view) {
  // BEGIN SOLUTION compact.cpu
  int64_t index[kMaxRank] = {}, position = view.offset;
  const int64_t size = count(view);
  for (int64_t k = 0; k < size; k++) {
    out[k] = a[position];
    for (int axis = view.rank - 1; axis >= 0; axis--) {
      position += view.strides[axis];
      if (++index[axis] < view.shape[axis]) break;
      position -= index[axis] * view.strides[axis];  // this wheel is back at 0: turn the next one
      index[axis] = 0;
    }
  }
  // END SOLUTION compact.cpu
}

}  // namespace needle
