// Four floats at a time, and the rest one by one.
#include "../common.h"

__global__ void axpy(float factor, const float* a, float* out, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size / 4) {
    float4 x = reinterpret_cast<const float4*>(a)[i], y = make_float4(factor * x.x, factor * x.y, factor * x.z, factor * x.w);
    reinterpret_cast<float4*>(out)[i] = y;
  }
  int rest = size / 4 * 4 + i;
  if (i < size % 4) out[rest] = factor * a[rest];
}

int main() {
  std::vector<float> a = numbers(103), want = a;
  for (float& value : want) value *= 5;
  float *d_a = device_copy(a), *out = device_empty(103);
  axpy<<<1, 32>>>(5, d_a, out, 103);
  return verdict(download(out, 103), want);
}
