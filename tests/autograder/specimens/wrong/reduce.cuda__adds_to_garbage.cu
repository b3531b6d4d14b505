// The sum is added to what the output held before.
// expect: failed; checks: all but max, max_negative; diagnosis: accumulates-into-garbage; finding: none
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

__global__ void sum_kernel(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  const int64_t i = global_index();
  if (i >= out_size) return;
  for (int64_t j = 0; j < reduce_size; j++) out[i] += a[i * reduce_size + j];
}

void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  LAUNCH(max_kernel, blocks_for(out_size), kThreads, a, out, out_size, reduce_size);
}

void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  LAUNCH(sum_kernel, blocks_for(out_size), kThreads, a, out, out_size, reduce_size);
}

}  // namespace needle
