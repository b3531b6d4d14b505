// A 3-D grid of 3-D blocks; the border keeps its values.
#include "../common.h"

__global__ void stencil(const float* a, float* out, int n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= n || y >= n || z >= n) return;
  size_t i = (z * n + y) * n + x;
  if (x >= 1 && x < n - 1 && y >= 1 && y < n - 1 && z >= 1 && z < n - 1)
    out[i] = a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i - n * n] + a[i + n * n] - 6 * a[i];
  else
    out[i] = a[i];
}

int main() {
  const int n = 9;
  std::vector<float> a = numbers(n * n * n), want = a;
  for (int z = 1; z < n - 1; z++)
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < n - 1; x++) {
        int i = (z * n + y) * n + x;
        want[i] = a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i - n * n] + a[i + n * n] - 6 * a[i];
      }
  float *d_a = device_copy(a), *out = device_empty(n * n * n);
  stencil<<<dim3(3, 3, 3), dim3(4, 4, 4)>>>(d_a, out, n);
  return verdict(download(out, n * n * n), want);
}
