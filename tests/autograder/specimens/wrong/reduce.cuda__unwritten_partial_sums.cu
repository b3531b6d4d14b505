// Threads without an element leave their place in shared memory unwritten, and the tree reads it.
// expect: failed; checks: all but max, max_negative; diagnosis: none; finding: uninitialised
#include "device.cuh"

namespace needle {

__device__ float larger(float x, float y) { return x > y || isnan(x) ? x : y; }

__global__ void max_kernel(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  const int64_t i = global_index();
  if (i >= out_size) return;
  float best = a[i * reduce_size];
  for (int64_t j = 1; j < reduce_size; j++) best = larger(best, a[i * reduce_size + j]);
  out[i] = best;
}

// One block for each row.
__global__ void sum_kernel(const float* a, float* out, int64_t reduce_size) {
  __shared__ double partial[kThreads];
  const int t = threadIdx.x;
  const float* row = a + blockIdx.x * reduce_size;
  if (t < reduce_size) {
    double sum = 0.0;
    for (int64_t j = t; j < reduce_size; j += kThreads) sum += row[j];
    partial[t] = sum;
  }
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];  // here
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = static_cast<float>(partial[0]);
}

void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  LAUNCH(max_kernel, blocks_for(out_size), kThreads, a, out, out_size, reduce_size);
}

void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  LAUNCH(sum_kernel, blocks_up_to(out_size), kThreads, a, out, reduce_size);
}

}  // namespace needle
