// The same mistake on a wide array stays inside it: only the values are wrong.
#include "../common.h"

__global__ void row_sums(const float* a, float* out, int rows, int columns) {
  int row = threadIdx.x;
  float total = 0;
  for (int column = 0; column < columns; column++) total += a[row * rows + column];  // expect: wrong result
  out[row] = total;
}

int main() {
  std::vector<float> a = numbers(5 * 9), want(5, 0.0f);
  for (int i = 0; i < 45; i++) want[i / 9] += a[i];
  float *d_a = device_copy(a), *out = device_empty(5);
  row_sums<<<1, 5>>>(d_a, out, 5, 9);
  return verdict(download(out, 5), want);
}
