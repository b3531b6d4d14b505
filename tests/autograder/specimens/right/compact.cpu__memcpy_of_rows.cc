// Copies whole rows where neighbours in a row are neighbours in memory.
// expect: passed
void compact(const float* a, float* out, Layout view) {
  const bool dense = view.rank > 0 && view.strides[view.rank - 1] == 1;
  const int64_t length = dense ? view.shape[view.rank - 1] : 1, rows = length ? count(view) / length : 0;
  for (int64_t row = 0; row < rows; row++) {
    int64_t rest = row, position = view.offset;
    for (int axis = view.rank - (dense ? 2 : 1); axis >= 0; axis--) {
      position += rest % view.shape[axis] * view.strides[axis];
      rest /= view.shape[axis];
    }
    std::memcpy(out + row * length, a + position, length * sizeof(float));
  }
}
