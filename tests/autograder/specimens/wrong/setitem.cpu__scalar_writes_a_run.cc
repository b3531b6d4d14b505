// scalar_setitem fills a run of elements.
// expect: failed; checks: scalar_permuted, scalar_rank, scalar_offset, scalar_step; diagnosis: strides-ignored
void scalar_setitem(float value, float* out, Layout view) {
  std::fill(out + view.offset, out + view.offset + count(view), value);
}
