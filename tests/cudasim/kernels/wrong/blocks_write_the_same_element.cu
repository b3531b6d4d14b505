// Every block writes its own number into the same 32 elements.
#include "../common.h"

__global__ void number(float* out) {
  out[threadIdx.x] = blockIdx.x;  // expect: race
}

int main() {
  float* out = device_empty(32);
  number<<<3, 32>>>(out);
  return verdict(download(out, 32), std::vector<float>(32, 2.0f));
}
