// The best CPU time of three matrix products, in ms: a loop on the host, a naive and a tiled kernel. Used by
// measure.py.
#include <cuda_runtime.h>

#include <cstdio>
#include <ctime>
#include <vector>

#define TILE 16
constexpr int kSize = 128;

__global__ void tiled(const float* a, const float* b, float* out, int n) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float total = 0;
  for (int start = 0; start < n; start += TILE) {
    ta[threadIdx.y][threadIdx.x] = (row < n && start + threadIdx.x < n) ? a[row * n + start + threadIdx.x] : 0;
    tb[threadIdx.y][threadIdx.x] = (column < n && start + threadIdx.y < n) ? b[(start + threadIdx.y) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; k++) total += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) out[row * n + column] = total;
}

__global__ void naive(const float* a, const float* b, float* out, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float total = 0;
  for (int k = 0; k < n; k++) total += a[row * n + k] * b[k * n + column];
  out[row * n + column] = total;
}

__attribute__((noinline)) static void loop(const float* a, const float* b, float* out, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float total = 0;
      for (int k = 0; k < n; k++) total += a[i * n + k] * b[k * n + j];
      out[i * n + j] = total;
    }
}

template <class Function>
static double best_ms(Function function) {
  double best = 1e9;
  for (int repeat = 0; repeat < 15; repeat++) {
    clock_t start = clock();
    function();
    double ms = 1e3 * (clock() - start) / CLOCKS_PER_SEC;
    if (ms < best) best = ms;
  }
  return best;
}

int main() {
  const size_t bytes = kSize * kSize * sizeof(float);
  std::vector<float> a(kSize * kSize, 1), b(kSize * kSize, 2), out(kSize * kSize);
  float *d_a, *d_b, *d_out;
  for (float** array : {&d_a, &d_b, &d_out}) cudaMalloc(array, bytes);
  cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 grid(kSize / TILE, kSize / TILE), block(TILE, TILE);
  printf("loop %.3f\n", best_ms([&] { loop(a.data(), b.data(), out.data(), kSize); }));
  printf("naive %.3f\n", best_ms([&] { naive<<<grid, block>>>(d_a, d_b, d_out, kSize); }));
  printf("tiled %.3f\n", best_ms([&] { tiled<<<grid, block>>>(d_a, d_b, d_out, kSize); }));
  cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost);
  return out[5] == 2 * kSize ? 0 : 1;
}
