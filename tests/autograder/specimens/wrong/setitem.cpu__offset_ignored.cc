// Both functions write to the origin of the buffer.
// expect: failed; checks: ewise_offset, ewise_step, scalar_offset, scalar_step; diagnosis: offset-ignored
int64_t place(const Layout& view, int64_t k) {
  int64_t position = 0;
  for (int axis = view.rank - 1; axis >= 0; axis--) {
    position += k % view.shape[axis] * view.strides[axis];
    k /= view.shape[axis];
  }
  return position;
}
void ewise_setitem(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  for (int64_t k = 0; k < size; k++) out[place(view, k)] = a[k];
}
void scalar_setitem(float value, float* out, Layout view) {
  const int64_t size = count(view);
  for (int64_t k = 0; k < size; k++) out[place(view, k)] = value;
}
