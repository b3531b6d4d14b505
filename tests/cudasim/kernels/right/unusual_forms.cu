// Odd forms that real files use: partly explicit template arguments, launches through parameters and members, literals.
#include <cstdio>
#include <vector>
#include <type_traits>
template <typename T, int N, class F>
__global__ void partly(F f, T* p) { if (threadIdx.x < N) p[threadIdx.x] = f(p[threadIdx.x]); }
struct Twice { __device__ int operator()(int x) const { return 2 * x; } };
namespace a { namespace b {
template <class T> struct Op { static __device__ T apply(T x) { return x + T(1); } };
template <class O, class T> __global__ void run(T* p) { p[threadIdx.x] = O::apply(p[threadIdx.x]); }
}}
template <class T> struct SharedMemory { __device__ operator T*() { extern __shared__ int raw[]; return (T*)raw; } };
template <class T> __global__ void viashared(T* p) { SharedMemory<T> box; T* s = box; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[31 - threadIdx.x]; }
__global__ void hist(int* p, int (*f)(int)) { p[threadIdx.x] += 1; }
__device__ int lut[2][3] = {{1, 2, 3}, {4, 5, 6}};
__global__ void useliteral(int* p) { const int* t = (const int[]){7, 8, 9}; p[threadIdx.x] = t[threadIdx.x % 3] + lut[1][threadIdx.x % 3]; }
template <typename K, typename... A> void launch(K k, int blocks, A... args) { k<<<blocks, 32>>>(args...); }
static __global__ void __launch_bounds__(32) bounded(int *p, const int n = 3) { p[threadIdx.x] = n; }
#define CUDA_KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
__global__ void looped(int* p, int n) { CUDA_KERNEL_LOOP(i, n) { p[i] += i; } }
enum class Kind { A, B };
template <Kind k> __global__ void dispatch(int* p) { if constexpr (k == Kind::A) p[threadIdx.x] = 1; else p[threadIdx.x] = 2; }
struct Runner { int* p; void (*fn)(int*, int); void go() { fn<<<1, 32>>>(p, 32); this->fn<<<dim3{1}, dim3{32, 1, 1}>>>(p, 32); } };
int main() {
  int* p; cudaMalloc((void**)&p, 32 * sizeof(int)); cudaMemset(p, 0, 128);
  int h[32];
  auto show = [&](const char* n) { cudaMemcpy(h, p, 128, cudaMemcpyDeviceToHost); printf("%s %d %d\n", n, h[0], h[31]); };
  partly<int, 32><<<1, 32>>>(Twice{}, p); show("partly");
  a::b::run<a::b::Op<int>><<<1, 32>>>(p); show("run");
  a::b::run<a::b::Op<int>, int> <<< 1, 32 >>> (p); show("run2");
  viashared<int><<<1, 32, 32 * sizeof(int)>>>(p); show("shared");
  hist<<<1, 32>>>(p, nullptr); show("hist");
  useliteral<<<1, 32>>>(p); show("literal");
  launch(looped, 1, p, 32); show("variadic");
  launch(looped, 1, p, (int)32); show("variadic");
  bounded<<<1, 32>>>(p); show("bounded");
  dispatch<Kind::B><<<1, 32>>>(p); show("dispatch");
  Runner r{p, looped}; r.go(); show("member");
  cudaMemcpyToSymbol(lut, h, sizeof lut);

  if (h[0] == 2) for (int i = 0; i < 2; ++i) looped<<<1, 32, 0, 0>>>(p, 32), show("comma");
  return h[0] == 2 && h[31] == 126 ? 0 : 3;
}
