// A maximum that starts at -10 is wrong for rows below it.
#include "../common.h"

__global__ void reduce_max(const float* a, float* out, int rows, int columns) {
  int row = threadIdx.x;
  if (row >= rows) return;
  float best = -10;  // expect: wrong result
  for (int column = 0; column < columns; column++) best = max(best, a[row * columns + column]);
  out[row] = best;
}

int main() {
  std::vector<float> a = numbers(40), want(4, -1e30f);
  for (float& value : a) value -= 100;
  for (int i = 0; i < 40; i++) want[i / 10] = a[i] > want[i / 10] ? a[i] : want[i / 10];
  float *d_a = device_copy(a), *out = device_empty(4);
  reduce_max<<<1, 32>>>(d_a, out, 4, 10);
  return verdict(download(out, 4), want);
}
