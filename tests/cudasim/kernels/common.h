// Host helpers of the kernels under test: plain CUDA, so that nvcc compiles them too.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

inline float* device_empty(size_t size) {
  float* device = nullptr;
  cudaMalloc(&device, size * sizeof(float));
  return device;
}

inline float* device_copy(const std::vector<float>& host) {
  float* device = device_empty(host.size());
  cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  return device;
}

inline std::vector<float> download(const float* device, size_t size) {
  std::vector<float> host(size);
  cudaError_t error = cudaMemcpy(host.data(), device, size * sizeof(float), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) printf("cuda: %s\n", cudaGetErrorString(error));
  return host;
}

// Small signed integers, none like its neighbours: sums and products of them are exact in float32.
inline std::vector<float> numbers(size_t size) {
  std::vector<float> values(size);
  for (size_t i = 0; i < size; i++) values[i] = float((i * 37 + i / 7) % 19) - 9;
  return values;
}

inline std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, int m, int n, int p) {
  std::vector<float> out(size_t(m) * p, 0.0f);
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < p; j++) out[i * p + j] += a[i * n + k] * b[k * p + j];
  return out;
}

inline float sum(const std::vector<float>& values) {
  float total = 0;
  for (float value : values) total += value;
  return total;
}

// The exit code of main: 0 for the right result, 3 for a wrong one.
inline int verdict(const std::vector<float>& got, const std::vector<float>& want) {
  for (size_t i = 0; i < want.size(); i++)
    if (!(got[i] == want[i])) return printf("wrong result: [%zu] is %g, not %g\n", i, got[i], want[i]), 3;
  printf("right result\n");
  return 0;
}
