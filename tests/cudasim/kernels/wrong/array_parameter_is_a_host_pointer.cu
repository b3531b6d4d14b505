// A parameter `int shape[3]` is a pointer: the kernel gets the address of the host's array.
#include "../common.h"

__global__ void count(float* out, const int shape[3]) {
  int total = 1;
  for (int axis = 0; axis < 3; axis++) total *= shape[axis];  // expect: host pointer
  out[threadIdx.x] = total;
}

int main() {
  int shape[3] = {2, 3, 4};
  float* out = device_empty(4);
  count<<<1, 4>>>(out, shape);
  return verdict(download(out, 4), std::vector<float>(4, 24.0f));
}
