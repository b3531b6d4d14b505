// One template for both functions, its source a functor.
// expect: passed
template <typename Source>
void store(Source source, float* out, const Layout& view) {
  const int64_t size = count(view);
  for (int64_t k = 0; k < size; k++) {
    int64_t rest = k, position = view.offset;
    for (int axis = view.rank - 1; axis >= 0; axis--) {
      position += rest % view.shape[axis] * view.strides[axis];
      rest /= view.shape[axis];
    }
    out[position] = source(k);
  }
}
void ewise_setitem(const float* a, float* out, Layout view) {
  store([a](int64_t k) { return a[k]; }, out, view);
}
void scalar_setitem(float value, float* out, Layout view) {
  store([value](int64_t) { return value; }, out, view);
}
