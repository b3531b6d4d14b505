#include "device.cuh"

namespace needle {

// One thread per row: right for every length, quick for short ones.
__global__ void largest(const float* a, float* out, int64_t rows, int64_t columns) {
  const int64_t i = global_index();
  if (i >= rows) return;
  float best = a[i * columns];
  for (int64_t j = 1; j < columns; j++) {
    const float next = a[i * columns + j];
    if (isnan(next) || next > best) best = next;
  }
  out[i] = best;
}

__global__ void total(const float* a, float* out, int64_t rows, int64_t columns) {
  const int64_t i = global_index();
  if (i >= rows) return;
  double sum = 0;
  for (int64_t j = 0; j < columns; j++) sum += a[i * columns + j];
  out[i] = static_cast<float>(sum);
}

void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  LAUNCH(largest, blocks_for(out_size), kThreads, a, out, out_size, reduce_size);
}

void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  LAUNCH(total, blocks_for(out_size), kThreads, a, out, out_size, reduce_size);
}

}  // namespace needle
