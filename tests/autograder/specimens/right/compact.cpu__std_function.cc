// A recursive std::function.
// expect: passed
#include <functional>
void compact(const float* a, float* out, Layout view) {
  int64_t k = 0;
  std::function<void(int, int64_t)> visit = [&](int axis, int64_t position) {
    if (axis == view.rank) {
      out[k++] = a[position];
      return;
    }
    for (int64_t i = 0; i < view.shape[axis]; i++) visit(axis + 1, position + i * view.strides[axis]);
  };
  visit(0, view.offset);
}
