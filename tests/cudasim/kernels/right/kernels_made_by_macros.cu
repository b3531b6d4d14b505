// Kernels and launchers pasted together by macros, and a macro that is only the launch's suffix.
#include "../common.h"

#define EWISE(NAME, EXPRESSION)                                                      \
  __global__ void NAME##Kernel(const float* a, const float* b, float* out, int n) { \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                   \
    if (i < n) out[i] = EXPRESSION;                                                  \
  }                                                                                  \
  void NAME(const float* a, const float* b, float* out, int n) {                     \
    NAME##Kernel<<<(n + 31) / 32,                                                    \
                   32>>>(a, b, out, n);                                              \
  }
#define ON_ONE_BLOCK(...) <<<1, 64>>>(__VA_ARGS__)

EWISE(Add, a[i] + b[i])
EWISE(Max, max(a[i], b[i]))

int main() {
  std::vector<float> a = numbers(50), b(a.rbegin(), a.rend()), want(50);
  for (int i = 0; i < 50; i++) want[i] = (a[i] > b[i] ? a[i] : b[i]) + a[i];
  float *d_a = device_copy(a), *d_b = device_copy(b), *largest = device_empty(50), *out = device_empty(50);
  Max(d_a, d_b, largest, 50);
  AddKernel ON_ONE_BLOCK(d_a, largest, out, 50);
  return verdict(download(out, 50), want);
}
