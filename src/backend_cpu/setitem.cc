// Family setitem: writing through a view. The reverse of compact.
#include "device.h"

namespace needle {

// BEGIN SOLUTION setitem.cpu (helpers)
namespace {

// Calls visit(position) for every index of the view, in row-major order.
template <typename Visit>
void for_each_position(const Layout& view, int axis, int64_t position, Visit& visit) {
  if (axis == view.rank) return visit(position);
  for (int64_t i = 0; i < view.shape[axis]; i++)
    for_each_position(view, axis + 1, position + i * view.strides[axis], visit);
}

}  // namespace
// END SOLUTION setitem.cpu

// Stores the elements of `a`, one after another, at the places of a view of `out`, in row-major order of the view.
// Shapes: view.rank axes (0 to kMaxRank); axis d has view.shape[d] >= 1 elements; `a` has count(view) elements.
// Memory: index (i0, i1, ...) of the view is out[view.offset + i0*view.strides[0] + i1*view.strides[1] + ...]; strides
// count
//   elements and may be negative. The view belongs to `out`, not to `a`; every position lies inside `out`, no two
//   indices share one, and `a` is another buffer. Elements of `out` that the view does not reach stay as they are.
// Rank 0 is one element: out[view.offset] = a[0].
// Example: a = 7 8 into shape (2, 1), strides (3, 1), offset 1 of out = 0 1 2 3 4 5 gives out = 0 7 2 3 8 5.
void ewise_setitem(const float* a, float* out, Layout view) {
  // BEGIN SOLUTION setitem.cpu
  int64_t k = 0;
  auto store = [&](int64_t position) { out[position] = a[k++]; };
  for_each_position(view, 0, view.offset, store);
  // END SOLUTION setitem.cpu
}

// Stores one value at every place of a view of `out`.
// Shapes, Memory: the view and `out` as in ewise_setitem.
void scalar_setitem(float value, float* out, Layout view) {
  // BEGIN SOLUTION setitem.cpu
  auto store = [&](int64_t position) { out[position] = value; };
  for_each_position(view, 0, view.offset, store);
  // END SOLUTION setitem.cpu
}

}  // namespace needle
