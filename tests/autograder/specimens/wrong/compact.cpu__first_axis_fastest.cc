// Walks the indices in column-major order.
// expect: failed; checks: contiguous, permuted, offset, step, reversed, broadcast, view_of_view, rank; diagnosis: first-axis-fastest
void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  for (int64_t k = 0; k < size; k++) {
    int64_t rest = k, position = view.offset;
    for (int axis = 0; axis < view.rank; axis++) {
      position += rest % view.shape[axis] * view.strides[axis];
      rest /= view.shape[axis];
    }
    out[k] = a[position];
  }
}
