// Kernels of one name, kernels with default arguments, and a kernel reached through a pointer.
#include "../common.h"

__global__ void set(float* out) { out[threadIdx.x] = 1; }
__global__ void set(float* out, float value) { out[threadIdx.x] += value; }
__global__ void add(float* out, float value, float factor = 10) { out[threadIdx.x] += factor * value; }

int main() {
  float* out = device_empty(8);
  void (*chosen)(float*, float, float) = add;
  set<<<1, 8>>>(out);
  set<<<1, 8>>>(out, 2.0f);
  add<<<1, 8>>>(out, 3.0f);
  chosen<<<1, 8>>>(out, 4.0f, 100.0f);
  (8 > 7 ? chosen : nullptr)<<<1, 8>>>(out, 1.0f, 1.0f);
  return verdict(download(out, 8), std::vector<float>(8, 434.0f));
}
