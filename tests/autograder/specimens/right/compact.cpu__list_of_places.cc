// First all places in a vector, axis by axis, then one copy.
// expect: passed
void compact(const float* a, float* out, Layout view) {
  std::vector<int64_t> places = {view.offset};
  for (int axis = 0; axis < view.rank; axis++) {
    std::vector<int64_t> wider;
    for (int64_t place : places)
      for (int64_t i = 0; i < view.shape[axis]; i++) wider.push_back(place + i * view.strides[axis]);
    places.swap(wider);
  }
  for (size_t k = 0; k < places.size(); k++) out[k] = a[places[k]];
}
