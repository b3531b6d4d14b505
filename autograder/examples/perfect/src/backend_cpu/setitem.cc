#include "device.h"

namespace needle {

namespace {

// Calls visit(position) for every index of the axes from `axis` on, the last axis fastest.
template <typename Visit>
void walk(const Layout& view, int axis, int64_t position, const Visit& visit) {
  if (axis == view.rank) {
    visit(position);
    return;
  }
  for (int64_t i = 0; i < view.shape[axis]; i++) walk(view, axis + 1, position + i * view.strides[axis], visit);
}

}  // namespace

void ewise_setitem(const float* a, float* out, Layout view) {
  walk(view, 0, view.offset, [&](int64_t position) { out[position] = *a++; });
}

void scalar_setitem(float value, float* out, Layout view) {
  walk(view, 0, view.offset, [&](int64_t position) { out[position] = value; });
}

}  // namespace needle
