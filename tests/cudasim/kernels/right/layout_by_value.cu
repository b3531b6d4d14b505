// Shape and strides travel in a struct passed by value, as compact() needs them.
#include "../common.h"

struct Layout {
  int rank, shape[4], strides[4], offset;
};

__global__ void compact(const float* a, float* out, int size, Layout view) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  int position = view.offset, rest = i;
  for (int axis = view.rank - 1; axis >= 0; axis--) {
    position += rest % view.shape[axis] * view.strides[axis];
    rest /= view.shape[axis];
  }
  out[i] = a[position];
}

int main() {
  std::vector<float> a = numbers(60), want;
  Layout view = {3, {3, 2, 5}, {1, -15, 3}, 45};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 5; k++) want.push_back(a[45 + i - 15 * j + 3 * k]);
  float *d_a = device_copy(a), *out = device_empty(30);
  compact<<<1, 32>>>(d_a, out, 30, view);
  return verdict(download(out, 30), want);
}
