// Starts one element late.
// expect: failed; checks: contiguous, permuted, offset, step, reversed, broadcast, view_of_view, rank; diagnosis: one-too-far
void compact(const float* a, float* out, Layout view) {
  int64_t index[kMaxRank] = {}, position = view.offset + 1;
  const int64_t size = count(view);
  for (int64_t k = 0; k < size; k++) {
    out[k] = a[position];
    for (int axis = view.rank - 1; axis >= 0; axis--) {
      position += view.strides[axis];
      if (++index[axis] < view.shape[axis]) break;
      position -= index[axis] * view.strides[axis];
      index[axis] = 0;
    }
  }
}
