// The guard compares the row with the number of columns and the column with the number of rows.
#include "../common.h"

__global__ void negate(const float* a, float* out, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < columns && column < rows) out[row * columns + column] = -a[row * columns + column];  // expect: out-of-bounds
}

int main() {
  std::vector<float> a = numbers(9 * 5), want = a;
  for (float& value : want) value = -value;
  float *d_a = device_copy(a), *out = device_copy(a);
  negate<<<dim3(2, 2), dim3(8, 8)>>>(d_a, out, 5, 9);
  return verdict(download(out, 45), want);
}
