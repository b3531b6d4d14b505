// Clears everything from the first place to the last before it writes.
// expect: failed; checks: scalar_permuted, scalar_rank, scalar_offset, scalar_step; diagnosis: none
void scalar_setitem(float value, float* out, Layout view) {
  const int64_t size = count(view);
  auto place = [&](int64_t k) {
    int64_t position = view.offset;
    for (int axis = view.rank - 1; axis >= 0; axis--) {
      position += k % view.shape[axis] * view.strides[axis];
      k /= view.shape[axis];
    }
    return position;
  };
  for (int64_t at = size ? place(0) : 0; size && at < place(size - 1); at++) out[at] = 0.0f;
  for (int64_t k = 0; k < size; k++) out[place(k)] = value;
}
