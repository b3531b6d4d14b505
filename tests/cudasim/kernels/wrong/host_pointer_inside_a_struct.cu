// The struct is copied to the device, but the pointer in it still points to the host.
#include "../common.h"

struct View {
  float* data;
  int* shape;
};

__global__ void fill(View view, float value) {
  int i = threadIdx.x;
  if (i < view.shape[0]) view.data[i] = value;  // expect: host pointer
}

int main() {
  std::vector<int> shape = {20};
  View view = {device_empty(20), shape.data()};
  fill<<<1, 32>>>(view, 2.0f);
  return verdict(download(view.data, 20), std::vector<float>(20, 2.0f));
}
