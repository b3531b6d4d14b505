// The walk ends before the first axis, so several threads write one element: the last one wins, and on a GPU any.
// expect: failed; checks: ewise_offset, ewise_permuted, ewise_rank, ewise_step; diagnosis: none; finding: race
#include "device.cuh"

namespace needle {

__global__ void ewise_setitem_kernel(const float* a, float* out, int64_t size, Layout view) {
  const int64_t k = global_index();
  if (k >= size) return;
  int64_t rest = k, position = view.offset;
  for (int axis = view.rank - 1; axis > 0; axis--) {
    position += rest % view.shape[axis] * view.strides[axis];
    rest /= view.shape[axis];
  }
  out[position] = a[k];  // here
}

__global__ void scalar_setitem_kernel(float value, float* out, int64_t size, Layout view) {
  const int64_t k = global_index();
  if (k >= size) return;
  int64_t rest = k, position = view.offset;
  for (int axis = view.rank - 1; axis >= 0; axis--) {
    position += rest % view.shape[axis] * view.strides[axis];
    rest /= view.shape[axis];
  }
  out[position] = value;
}

void ewise_setitem(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  LAUNCH(ewise_setitem_kernel, blocks_for(size), kThreads, a, out, size, view);
}

void scalar_setitem(float value, float* out, Layout view) {
  const int64_t size = count(view);
  LAUNCH(scalar_setitem_kernel, blocks_for(size), kThreads, value, out, size, view);
}

}  // namespace needle
