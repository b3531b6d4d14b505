// Takes the stride of the mirrored axis.
// expect: failed; checks: contiguous, permuted, offset, step, reversed, broadcast, view_of_view, rank; diagnosis: strides-reversed, none
void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  for (int64_t k = 0; k < size; k++) {
    int64_t rest = k, position = view.offset;
    for (int axis = view.rank - 1; axis >= 0; axis--) {
      position += rest % view.shape[axis] * view.strides[view.rank - 1 - axis];
      rest /= view.shape[axis];
    }
    out[k] = a[position];
  }
}
