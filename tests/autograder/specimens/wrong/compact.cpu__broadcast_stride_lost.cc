// Takes a stride of 0 for "not set" and puts the compact one there.
// expect: failed; checks: broadcast, view_of_view; diagnosis: broadcast-stride-lost
void compact(const float* a, float* out, Layout view) {
  int64_t stride = 1;
  for (int axis = view.rank - 1; axis >= 0; axis--) {
    if (view.strides[axis] == 0) view.strides[axis] = stride;
    stride *= view.shape[axis];
  }
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
