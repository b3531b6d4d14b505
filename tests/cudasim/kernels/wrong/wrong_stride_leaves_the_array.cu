// The stride of a row is the number of columns, not of rows: the last rows lie behind the array.
#include "../common.h"

__global__ void row_sums(const float* a, float* out, int rows, int columns) {
  int row = threadIdx.x;
  float total = 0;
  for (int column = 0; column < columns; column++) total += a[row * rows + column];  // expect: out-of-bounds
  out[row] = total;
}

int main() {
  std::vector<float> a = numbers(9 * 5), want(9, 0.0f);
  for (int i = 0; i < 45; i++) want[i / 5] += a[i];
  float *d_a = device_copy(a), *out = device_empty(9);
  row_sums<<<1, 9>>>(d_a, out, 9, 5);
  return verdict(download(out, 9), want);
}
