// Recursion over axes, from the end of `a` to its start.
// expect: passed
void store(const float*& next, bool moves, float* out, const Layout& view, int axis) {
  if (axis == view.rank) {
    *out = *next;
    next -= moves;
    return;
  }
  for (int64_t i = view.shape[axis] - 1; i >= 0; i--) store(next, moves, out + i * view.strides[axis], view, axis + 1);
}
void ewise_setitem(const float* a, float* out, Layout view) {
  const float* last = a + count(view) - 1;
  store(last, true, out + view.offset, view, 0);
}
void scalar_setitem(float value, float* out, Layout view) {
  const float* only = &value;
  store(only, false, out + view.offset, view, 0);
}
