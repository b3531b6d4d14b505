// From the last element to the first.
// expect: passed
void compact(const float* a, float* out, Layout view) {
  for (int64_t k = count(view) - 1; k >= 0; k--) {
    int64_t rest = k, position = view.offset;
    for (int axis = view.rank; axis-- > 0; rest /= view.shape[axis])
      position += rest % view.shape[axis] * view.strides[axis];
    out[k] = a[position];
  }
}
