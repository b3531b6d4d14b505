// The sums of a block's threads meet in one shared double by atomicAdd; the maximum by comparing and swapping.
// expect: passed
#include "device.cuh"

namespace needle {

__global__ void sum_kernel(const float* a, float* out, int64_t reduce_size) {
  __shared__ double total;
  if (threadIdx.x == 0) total = 0.0;
  __syncthreads();
  double own = 0.0;
  for (int64_t j = threadIdx.x; j < reduce_size; j += blockDim.x) own += a[blockIdx.x * reduce_size + j];
  atomicAdd(&total, own);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = static_cast<float>(total);
}

__global__ void max_kernel(const float* a, float* out, int64_t reduce_size) {
  __shared__ int best;
  const float* row = a + blockIdx.x * reduce_size;
  if (threadIdx.x == 0) best = __float_as_int(row[0]);
  __syncthreads();
  for (int64_t j = threadIdx.x; j < reduce_size; j += blockDim.x) {
    int seen = atomicAdd(&best, 0);
    while (isnan(row[j]) ? !isnan(__int_as_float(seen)) : row[j] > __int_as_float(seen)) {
      const int before = atomicCAS(&best, seen, __float_as_int(row[j]));
      if (before == seen) break;
      seen = before;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = __int_as_float(best);
}

void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  LAUNCH(max_kernel, blocks_up_to(out_size), 64, a, out, reduce_size);
}
void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  LAUNCH(sum_kernel, blocks_up_to(out_size), 64, a, out, reduce_size);
}

}  // namespace needle
