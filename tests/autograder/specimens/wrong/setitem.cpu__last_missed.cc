// The loop of scalar_setitem ends one place early.
// expect: failed; checks: scalar_permuted, scalar_offset, scalar_step, scalar_rank; diagnosis: last-missed
void scalar_setitem(float value, float* out, Layout view) {
  const int64_t size = count(view);
  for (int64_t k = 0; k + 1 < size; k++) {
    int64_t rest = k, position = view.offset;
    for (int axis = view.rank - 1; axis >= 0; axis--) {
      position += rest % view.shape[axis] * view.strides[axis];
      rest /= view.shape[axis];
    }
    out[position] = value;
  }
}
