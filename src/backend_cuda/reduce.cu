// Family reduce: many neighbours become one. The axis to reduce has been moved to the end and compacted before.
#include "device.cuh"

namespace needle {

// BEGIN SOLUTION reduce.cuda (kernel)
constexpr int64_t kLongRow = 128;  // from here on a row keeps a whole block busy

// Both work in double: a sum in float stops growing (16777216 + 1 is no float), and a maximum loses nothing.
struct Sum {
  __device__ static double identity() { return 0.0; }
  __device__ static double combine(double a, double b) { return a + b; }
};
struct Maximum {
  __device__ static double identity() { return -INFINITY; }
  __device__ static double combine(double a, double b) { return a > b || isnan(a) ? a : b; }
};

// Short rows: one thread per row.
template <typename Operation>
__global__ void reduce_row_per_thread_kernel(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  const int64_t i = global_index();
  if (i >= out_size) return;
  double result = Operation::identity();
  for (int64_t j = 0; j < reduce_size; j++) result = Operation::combine(result, a[i * reduce_size + j]);
  out[i] = static_cast<float>(result);
}

// Long rows: one block per row. Each thread takes every kThreads-th element, so that neighbours read neighbours; then
// the partial results are folded in halves. Every thread of the block reaches every barrier: the row is the block's,
// not the thread's.
template <typename Operation>
__global__ void reduce_row_per_block_kernel(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  __shared__ double partial[kThreads];
  const int t = threadIdx.x;
  for (int64_t i = blockIdx.x; i < out_size; i += gridDim.x) {
    double result = Operation::identity();
    for (int64_t j = t; j < reduce_size; j += kThreads) result = Operation::combine(result, a[i * reduce_size + j]);
    partial[t] = result;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
      if (t < half) partial[t] = Operation::combine(partial[t], partial[t + half]);
      __syncthreads();
    }
    if (t == 0) out[i] = static_cast<float>(partial[0]);
    __syncthreads();  // thread 0 has read partial[0]; now the next row may overwrite it
  }
}

template <typename Operation>
void reduce(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  if (reduce_size < kLongRow)
    LAUNCH(reduce_row_per_thread_kernel<Operation>, blocks_for(out_size), kThreads, a, out, out_size, reduce_size);
  else
    LAUNCH(reduce_row_per_block_kernel<Operation>, blocks_up_to(out_size), kThreads, a, out, out_size, reduce_size);
}
// END SOLUTION reduce.cuda

// out[i] = the largest of the reduce_size elements of `a` that begin at a[i * reduce_size]; NaN if one of them is NaN.
// Shapes: out has out_size > 0 elements, `a` has out_size * reduce_size, and reduce_size >= 1.
// Memory: flat buffers on the device; out is another buffer than `a` and holds garbage before.
// Hint: one thread per row is right, if slow for long rows. Any finite start value is wrong for some row.
// Example: a = 1 5 2 -3 -1 -2 with reduce_size 3 gives out = 5 -1.
void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  // BEGIN SOLUTION reduce.cuda
  reduce<Maximum>(a, out, out_size, reduce_size);
  // END SOLUTION reduce.cuda
}

// out[i] = the sum of the reduce_size elements of `a` that begin at a[i * reduce_size].
// Shapes: as reduce_max, but reduce_size may be 0: the sum of nothing is 0.
// Memory: as reduce_max.
// Hint: 2^25 ones summed in float stop at 16777216, since 16777216 + 1 is no float. A double does not stop there.
void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  // BEGIN SOLUTION reduce.cuda
  reduce<Sum>(a, out, out_size, reduce_size);
  // END SOLUTION reduce.cuda
}

}  // namespace needle
