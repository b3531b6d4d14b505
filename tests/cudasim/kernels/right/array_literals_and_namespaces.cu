// Kernels in namespaces, a static member that launches, and an array literal in device code.
#include "../common.h"

namespace course {
namespace detail {
__device__ int pick(const int* table, int i) { return table[i % 3]; }
__global__ void fill(float* out, int size) {
  int i = threadIdx.x;
  const int table[] = {4, 5, 6};
  if (i < size) out[i] = pick(table, i);
}
}  // namespace detail

template <int BLOCK>
struct Launcher {
  static void run(float* out, int size) {
    auto go = [&](int blocks) { detail::fill<<<blocks, BLOCK>>>(out, size); };
    if (size > 0) go((size + BLOCK - 1) / BLOCK);
  }
};
}  // namespace course

int main() {
  float* out = device_empty(6);
  course::Launcher<32>::run(out, 6);
  return verdict(download(out, 6), {4, 5, 6, 4, 5, 6});
}
