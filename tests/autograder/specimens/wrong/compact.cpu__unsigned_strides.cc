// Keeps strides in 32-bit unsigned numbers: a negative one leads far away.
// expect: failed; checks: reversed; diagnosis: none
void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  for (int64_t k = 0; k < size; k++) {
    int64_t rest = k;
    uint64_t position = view.offset;
    for (int axis = view.rank - 1; axis >= 0; axis--) {
      const uint32_t stride = view.strides[axis];
      position += rest % view.shape[axis] * stride;
      rest /= view.shape[axis];
    }
    out[k] = a[position];
  }
}
