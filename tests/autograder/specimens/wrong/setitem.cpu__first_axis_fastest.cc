// Takes the elements of `a` in column-major order; a single value hides it.
// expect: failed; checks: ewise_permuted, ewise_offset, ewise_step, ewise_rank; diagnosis: first-axis-fastest
int64_t place(const Layout& view, int64_t k) {
  int64_t position = view.offset;
  for (int axis = 0; axis < view.rank; axis++) {
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
