#include "device.cuh"

namespace needle {

// The view is read from the start of the buffer, wherever it begins.
__global__ void gather(const float* a, float* out, int64_t size, Layout view) {
  for (int64_t k = global_index(); k < size; k += static_cast<int64_t>(gridDim.x) * blockDim.x) {
    int64_t rest = k, from = 0;
    for (int axis = view.rank; axis-- > 0; rest /= view.shape[axis])
      from += rest % view.shape[axis] * view.strides[axis];
    out[k] = a[from];
  }
}

void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  gather<<<static_cast<unsigned>(ceil_div(size, 4 * kThreads)), kThreads>>>(a, out, size, view);
  check(cudaGetLastError(), "compact");
}

}  // namespace needle
