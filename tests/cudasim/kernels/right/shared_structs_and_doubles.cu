// A struct, a union and doubles in shared memory.
#include "../common.h"

struct Best {
  double value;
  long long index;  // as wide as the value: a copy of the struct then touches no padding
};

__global__ void argmax(const float* a, float* out, int size) {
  __shared__ Best best[2][32];
  __shared__ union { double total; int halves[2]; } box;
  int t = threadIdx.x, now = 0;
  best[0][t] = t < size ? Best{a[t], t} : Best{-1e300, -1};
  if (t == 0) box.total = 0;
  __syncthreads();
  for (int stride = 16; stride > 0; stride /= 2, now = 1 - now) {
    if (t < stride) best[1 - now][t] = best[now][t + stride].value > best[now][t].value ? best[now][t + stride] : best[now][t];
    __syncthreads();
  }
  if (t == 0) {
    box.total += best[now][0].value;
    out[0] = best[now][0].index, out[1] = box.total;
  }
}

int main() {
  std::vector<float> a = numbers(25);
  a[17] = 50;
  float *d_a = device_copy(a), *out = device_empty(2);
  argmax<<<1, 32>>>(d_a, out, 25);
  return verdict(download(out, 2), {17, 50});
}
