// The layout in constant memory, blocks in three dimensions, a recursive device function.
// expect: passed
#include "device.cuh"

namespace needle {

__constant__ Layout layout;

__device__ int64_t walk(int64_t k, int axis) {
  if (axis < 0) return layout.offset;
  return k % layout.shape[axis] * layout.strides[axis] + walk(k / layout.shape[axis], axis - 1);
}

__global__ void compact_kernel(const float* __restrict__ a, float* __restrict__ out, int64_t size) {
  const int64_t block = (int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int64_t k = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
  if (k < size) out[k] = __ldg(a + walk(k, layout.rank - 1));
}

void compact(const float* a, float* out, Layout view) {
  check(cudaMemcpyToSymbol(layout, &view, sizeof view), "cudaMemcpyToSymbol");
  const int64_t size = count(view);
  const dim3 block(4, 3, 5), grid(2, 2, ceil_div(size, 240));
  LAUNCH(compact_kernel, grid, block, a, out, size);
}

}  // namespace needle
