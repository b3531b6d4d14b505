// Copies what lies in memory from the offset on.
// expect: failed; checks: permuted, offset, step, reversed, broadcast, view_of_view, rank; diagnosis: strides-ignored
void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  for (int64_t k = 0; k < size; k++) out[k] = a[view.offset + k];
}
