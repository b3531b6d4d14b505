// Each warp takes one row of a sparse matrix; lanes beyond the row's end bring zero.
#include "../common.h"

__global__ void multiply(const int* starts, const int* columns, const float* values, const float* x, float* y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;  // whole warps leave
  float total = 0;
  for (int k = starts[row] + lane; k < starts[row + 1]; k += 32) total += values[k] * x[columns[k]];
  for (int delta = 16; delta > 0; delta >>= 1) total += __shfl_down_sync(~0u, total, delta);
  if (lane == 0) y[row] = total;
}

template <class T>
T* device_array(const std::vector<T>& host) {
  T* device;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

int main() {
  std::vector<int> starts = {0, 2, 2, 42, 43}, columns(43);
  std::vector<float> values = numbers(43), x = numbers(50), want(4, 0.0f);
  for (int k = 0; k < 43; k++) columns[k] = k * 7 % 50;
  for (int row = 0; row < 4; row++)
    for (int k = starts[row]; k < starts[row + 1]; k++) want[row] += values[k] * x[columns[k]];
  float* y = device_empty(4);
  multiply<<<3, 64>>>(device_array(starts), device_array(columns), device_array(values), device_array(x), y, 4);
  return verdict(download(y, 4), want);
}
