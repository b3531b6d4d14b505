// One thread for each element adds to the row's result, all at once.
// expect: failed; checks: all but max, max_negative, sum_of_nothing; diagnosis: none; finding: race
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

__global__ void clear_kernel(float* out, int64_t size) {
  const int64_t i = global_index();
  if (i < size) out[i] = 0.0f;
}

__global__ void sum_kernel(const float* a, float* out, int64_t size, int64_t reduce_size) {
  const int64_t k = global_index();
  if (k < size) out[k / reduce_size] += a[k];  // here
}

void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  LAUNCH(max_kernel, blocks_for(out_size), kThreads, a, out, out_size, reduce_size);
}

void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  LAUNCH(clear_kernel, blocks_for(out_size), kThreads, out, out_size);
  const int64_t size = out_size * reduce_size;
  if (size) LAUNCH(sum_kernel, blocks_for(size), kThreads, a, out, size, reduce_size);
}

}  // namespace needle
