// One call for each axis.
// expect: passed
const float* walk(const float* a, float*& out, const Layout& view, int axis) {
  if (axis == view.rank) *out++ = *a;
  for (int64_t i = 0; axis < view.rank && i < view.shape[axis]; i++) walk(a + i * view.strides[axis], out, view, axis + 1);
  return a;
}
void compact(const float* a, float* out, Layout view) {
  walk(a + view.offset, out, view, 0);
}
