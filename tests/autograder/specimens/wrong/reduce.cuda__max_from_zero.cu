// The maximum starts at 0, which is larger than any negative element.
// expect: failed; checks: max_negative; diagnosis: max-from-zero; finding: none
#include "device.cuh"

namespace needle {

__device__ float larger(float x, float y) { return x > y || isnan(x) ? x : y; }

__global__ void max_kernel(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  const int64_t i = global_index();
  if (i >= out_size) return;
  float best = 0.0f;
  for (int64_t j = 0; j < reduce_size; j++) best = larger(best, a[i * reduce_size + j]);
  out[i] = best;
}

__global__ void sum_kernel(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  const int64_t i = global_index();
  if (i >= out_size) return;
  double sum = 0.0;
  for (int64_t j = 0; j < reduce_size; j++) sum += a[i * reduce_size + j];
  out[i] = static_cast<float>(sum);
}

void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  LAUNCH(max_kernel, blocks_for(out_size), kThreads, a, out, out_size, reduce_size);
}

void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  LAUNCH(sum_kernel, blocks_for(out_size), kThreads, a, out, out_size, reduce_size);
}

}  // namespace needle
