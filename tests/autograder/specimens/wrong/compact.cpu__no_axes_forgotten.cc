// A view without axes is taken for an empty one.
// expect: failed; checks: rank, offset; diagnosis: untouched
void compact(const float* a, float* out, Layout view) {
  if (view.rank == 0) return;
  const int64_t size = count(view);
  for (int64_t k = 0; k < size; k++) {
    int64_t rest = k, position = view.offset;
    for (int axis = view.rank - 1; axis >= 0; axis--) {
      position += rest % view.shape[axis] * view.strides[axis];
      rest /= view.shape[axis];
    }
    out[k] = a[position];
  }
}
