// An odometer made of goto.
// expect: passed
void compact(const float* a, float* out, Layout view) {
  int64_t index[kMaxRank] = {0}, left = count(view);
  int axis;
next:
  if (left-- == 0) return;
  {
    int64_t position = view.offset;
    for (axis = 0; axis < view.rank; axis++) position += index[axis] * view.strides[axis];
    *out++ = a[position];
  }
  axis = view.rank;
turn:
  if (axis-- == 0) goto next;
  if (++index[axis] < view.shape[axis]) goto next;
  index[axis] = 0;
  goto turn;
}
