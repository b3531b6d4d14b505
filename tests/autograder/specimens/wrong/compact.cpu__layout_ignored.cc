// Copies what lies in memory from the first element on.
// expect: failed; checks: permuted, offset, step, reversed, broadcast, view_of_view, rank; diagnosis: layout-ignored
void compact(const float* a, float* out, Layout view) {
  std::memcpy(out, a, sizeof(float) * count(view));
}
