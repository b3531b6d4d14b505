// The walk starts at element 0 instead of the offset.
// expect: failed; checks: offset, view_of_view, reversed; diagnosis: offset-ignored
void compact(const float* a, float* out, Layout view) {
  int64_t index[kMaxRank] = {}, position = 0;
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
