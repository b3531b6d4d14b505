#include "device.cuh"

namespace needle {

// Without `a`, every element gets `value`.
__global__ void scatter(const float* a, float value, float* out, int64_t size, Layout view) {
  const int64_t k = global_index();
  if (k >= size) return;
  int64_t rest = k, to = view.offset;
  for (int axis = view.rank; axis-- > 0; rest /= view.shape[axis]) to += rest % view.shape[axis] * view.strides[axis];
  out[to] = a ? a[k] : value;
}

static void write(const float* a, float value, float* out, const Layout& view) {
  const int64_t size = count(view);
  LAUNCH(scatter, blocks_for(size), kThreads, a, value, out, size, view);
}

void ewise_setitem(const float* a, float* out, Layout view) { write(a, 0, out, view); }
void scalar_setitem(float value, float* out, Layout view) { write(nullptr, value, out, view); }

}  // namespace needle
