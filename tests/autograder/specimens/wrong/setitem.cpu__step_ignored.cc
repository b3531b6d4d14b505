// Copies rows of the view whole: neighbours of a row are taken for neighbours in memory.
// expect: failed; checks: ewise_permuted, ewise_offset, ewise_step, ewise_rank; diagnosis: step-ignored
void ewise_setitem(const float* a, float* out, Layout view) {
  const int64_t length = view.rank > 0 ? view.shape[view.rank - 1] : 1, rows = length ? count(view) / length : 0;
  for (int64_t row = 0; row < rows; row++) {
    int64_t rest = row, position = view.offset;
    for (int axis = view.rank - 2; axis >= 0; axis--) {
      position += rest % view.shape[axis] * view.strides[axis];
      rest /= view.shape[axis];
    }
    for (int64_t i = 0; i < length; i++) out[position + i] = a[row * length + i];
  }
}
