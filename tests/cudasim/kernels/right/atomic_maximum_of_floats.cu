// CUDA has no atomicMax for floats: a loop of compare and swap on their bits.
#include "../common.h"

__device__ float atomic_max(float* address, float value) {
  int* bits = reinterpret_cast<int*>(address);
  int old = *bits, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value) break;
    old = atomicCAS(bits, assumed, __float_as_int(value));
  } while (assumed != old);
  return __int_as_float(old);
}

__global__ void maximum(const float* a, float* out, int size) {
  __shared__ float best;
  if (threadIdx.x == 0) best = -INFINITY;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) atomic_max(&best, a[i]);
  __syncthreads();
  if (threadIdx.x == 0) atomic_max(out, best);
}

int main() {
  std::vector<float> a = numbers(100);
  float *d_a = device_copy(a), *out = device_copy({-1000.0f});
  maximum<<<4, 32>>>(d_a, out, 100);
  return verdict(download(out, 1), {9.0f});
}
