// Every axis takes the flat index modulo its own length.
// expect: failed; checks: contiguous, permuted, offset, step, reversed, broadcast, view_of_view, rank; diagnosis: index-not-divided
void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  for (int64_t k = 0; k < size; k++) {
    int64_t position = view.offset;
    for (int axis = view.rank - 1; axis >= 0; axis--) position += k % view.shape[axis] * view.strides[axis];
    out[k] = a[position];
  }
}
