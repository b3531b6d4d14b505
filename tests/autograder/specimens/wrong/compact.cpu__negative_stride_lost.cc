// Takes the magnitude of a stride.
// expect: failed; checks: reversed; diagnosis: negative-stride-lost
void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  for (int64_t k = 0; k < size; k++) {
    int64_t rest = k, position = view.offset;
    for (int axis = view.rank - 1; axis >= 0; axis--) {
      position += rest % view.shape[axis] * std::abs(view.strides[axis]);
      rest /= view.shape[axis];
    }
    out[k] = a[position];
  }
}
