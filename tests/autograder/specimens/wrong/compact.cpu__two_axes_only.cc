// Written for matrices: the third and later axes are left out.
// expect: failed; checks: contiguous, permuted, reversed, broadcast, view_of_view, rank, offset, step; diagnosis: none
void compact(const float* a, float* out, Layout view) {
  const int64_t rows = view.rank > 0 ? view.shape[0] : 1, columns = view.rank > 1 ? view.shape[1] : 1;
  int64_t k = 0;
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++)
      out[k++] = a[view.offset + (view.rank > 0 ? i * view.strides[0] : 0) + (view.rank > 1 ? j * view.strides[1] : 0)];
}
