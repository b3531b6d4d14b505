// gridDim.y is at most 65535.
#include "../common.h"

__global__ void fill(float* out, float value) {
  if (threadIdx.x == 0) out[blockIdx.y] = value;
}

int main() {
  float* out = device_empty(70000);
  fill<<<dim3(1, 70000), 32>>>(out, 2.0f);  // expect: bad launch
  return verdict(download(out, 70000), std::vector<float>(70000, 2.0f));
}
