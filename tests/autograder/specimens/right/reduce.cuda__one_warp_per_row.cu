// A warp for each row; partial results meet by shuffles.
// expect: passed
#include "device.cuh"

namespace needle {

struct Sum {
  __device__ static double start() { return 0.0; }
  __device__ static double of(double x, double y) { return x + y; }
};
struct Maximum {
  __device__ static double start() { return -INFINITY; }
  __device__ static double of(double x, double y) { return isnan(x) || isnan(y) ? x + y : x > y ? x : y; }
};

template <typename Operation>
__global__ void row_kernel(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  const int64_t row = global_index() / 32;
  const int lane = threadIdx.x % 32;
  if (row >= out_size) return;  // the whole warp
  double result = Operation::start();
  for (int64_t j = lane; j < reduce_size; j += 32) result = Operation::of(result, a[row * reduce_size + j]);
  for (int step = 16; step > 0; step /= 2)
    result = Operation::of(result, __shfl_down_sync(0xffffffffu, result, step));
  if (lane == 0) out[row] = static_cast<float>(result);
}

void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  LAUNCH(row_kernel<Maximum>, blocks_for(32 * out_size), kThreads, a, out, out_size, reduce_size);
}
void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  LAUNCH(row_kernel<Sum>, blocks_for(32 * out_size), kThreads, a, out, out_size, reduce_size);
}

}  // namespace needle
