// Shuffles down each warp, one partial sum per warp in shared memory, and a second round by the first warp.
#include "../common.h"

__inline__ __device__ float warp_sum(float value) {
  for (int delta = warpSize / 2; delta > 0; delta /= 2) value += __shfl_down_sync(0xffffffff, value, delta);
  return value;
}

__global__ void total(const float* a, float* out, int size) {
  __shared__ float partial[32];
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  float value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += blockDim.x * gridDim.x) value += a[i];
  value = warp_sum(value);
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < blockDim.x / warpSize ? partial[lane] : 0;
    value = warp_sum(value);
    if (lane == 0) atomicAdd(out, value);
  }
}

int main() {
  std::vector<float> a = numbers(777);
  float *d_a = device_copy(a), *out = device_copy({0.0f});
  total<<<2, 128>>>(d_a, out, 777);
  return verdict(download(out, 1), {sum(a)});
}
