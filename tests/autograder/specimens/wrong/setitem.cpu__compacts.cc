// The body of compact, pasted: reads along the view, writes from the start.
// expect: failed; checks: ewise_permuted, ewise_offset, ewise_step, ewise_rank; diagnosis: compacts
void ewise_setitem(const float* a, float* out, Layout view) {
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
