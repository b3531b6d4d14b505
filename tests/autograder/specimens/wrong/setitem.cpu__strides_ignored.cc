// ewise_setitem writes one element behind the other.
// expect: failed; checks: ewise_permuted, ewise_offset, ewise_step, ewise_rank; diagnosis: strides-ignored
void ewise_setitem(const float* a, float* out, Layout view) {
  std::memcpy(out + view.offset, a, count(view) * sizeof(float));
}
