// One block of dynamic shared memory, cut into floats and ints.
#include "../common.h"

__global__ void sort_positions(const float* a, float* values, float* positions, int size) {
  extern __shared__ __align__(16) unsigned char raw[];
  float* value = reinterpret_cast<float*>(raw);
  int* position = reinterpret_cast<int*>(value + size);
  int t = threadIdx.x;
  value[t] = a[t];
  position[t] = t;
  __syncthreads();
  int rank = 0;
  for (int k = 0; k < size; k++) rank += value[k] < value[t] || (value[k] == value[t] && k < t);
  values[rank] = value[t];
  positions[rank] = position[t];
}

int main() {
  std::vector<float> a = numbers(50), want(50), places(50);
  for (int i = 0; i < 50; i++) {
    int rank = 0;
    for (int k = 0; k < 50; k++) rank += a[k] < a[i] || (a[k] == a[i] && k < i);
    want[rank] = a[i], places[rank] = i;
  }
  float *d_a = device_copy(a), *values = device_empty(50), *positions = device_empty(50);
  sort_positions<<<1, 50, 50 * (sizeof(float) + sizeof(int))>>>(d_a, values, positions, 50);
  int wrong = verdict(download(values, 50), want);
  return wrong ? wrong : verdict(download(positions, 50), places);
}
