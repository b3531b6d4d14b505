// Cases of test_runtime.py: each prints what the test compares. `runtime CASE`.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

template <class T>
static std::vector<T> download(const T* device, size_t size) {
  std::vector<T> host(size);
  cudaError_t error = cudaMemcpy(host.data(), device, size * sizeof(T), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) printf("%s ", cudaGetErrorName(error));
  return host;
}
template <class T>
static T* device_array(size_t size) {
  T* device;
  cudaMalloc(&device, size * sizeof(T));
  return device;
}
template <class T>
static void show(const T* device, size_t size) {
  for (T value : download(device, size)) printf("%g ", (double)value);
  printf("\n");
}

__global__ void indexes(int* out) {
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] =
      threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockIdx.x + 10000 * blockIdx.y + 100000 * blockIdx.z;
}
__global__ void order(int* out) { out[threadIdx.x] = atomicAdd(out + 64, 1); }
__global__ void reverse(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void counts(int* out) {
  int all = __syncthreads_and(threadIdx.x < 40), any = __syncthreads_or(threadIdx.x == 3),
      count = __syncthreads_count(threadIdx.x < 7);
  out[threadIdx.x] = count + 100 * any + 1000 * all;
}
__global__ void two_groups(int* out) {
  int lane = threadIdx.x, half = lane < 16 ? 0x0000ffff : 0xffff0000, value = lane;
  for (int delta = 8; delta > 0; delta /= 2) value += __shfl_down_sync(half, value, delta, 16);
  if (lane < 16) value += 100 * __popc(__ballot_sync(0x0000ffff, lane < 5));
  out[lane] = value;
}
__global__ void votes(unsigned* out) {
  int lane = threadIdx.x;
  unsigned same = __match_any_sync(0xffffffff, lane % 3);
  out[lane] = lane == 0 ? same : lane == 1 ? __reduce_add_sync(0xfffffffe, lane) : __reduce_add_sync(0xfffffffe, lane);
  if (lane == 2) out[2] = __all_sync(0x4, 1) + 2 * __any_sync(0x4, 0);
}
__global__ void active(unsigned* out) {
  if (threadIdx.x >= 20) return;
  unsigned mask = __activemask();
  out[threadIdx.x] = threadIdx.x % 2 ? __ballot_sync(mask, 1) : __ballot_sync(mask, 0);
}
__global__ void volatile_warp(float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int width = 32; width > 0; width /= 2) {
    if (t < width) s[t] += s[t + width];
    __syncthreads();
  }
  if (t == 0) out[0] = s[0];
}
__global__ void fill(float* out, float value, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = value;
}
__global__ void nothing(float*) {}
__global__ void shared_leftovers(float* out, int unused) {
  __shared__ float s[32];
  out[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x];
  s[threadIdx.x] = unused;
}
__global__ void read_through(const float* a, float* out) { out[threadIdx.x] = a[threadIdx.x]; }
__global__ void throws(int) { throw std::runtime_error("from a kernel"); }
__global__ void aborts(int) { abort(); }
__global__ void divides(int* out, int by) { out[0] = 7 / by; }
__global__ void overflows(float* out, int depth) {
  volatile float local[64 * 1024];
  local[depth] = 1;
  out[0] = local[depth];
}
__global__ void waits_forever(int* flag) {
  if (threadIdx.x == 0) __syncthreads();
  if (threadIdx.x == 1) __syncwarp();
  flag[threadIdx.x] = 1;
}
__device__ int counter = 5;
__constant__ float weights[4];
__global__ void count_up(float* out) {
  atomicAdd(&counter, 1);
  out[threadIdx.x] = weights[threadIdx.x];
}
__global__ void says(int n) { printf("thread %d of %d\n", threadIdx.x, n); }

static int errors() {
  float* out = device_array<float>(8);
  fill<<<1, 2000>>>(out, 1, 8);
  printf("%s ", cudaGetErrorName(cudaPeekAtLastError()));
  printf("%s ", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  read_through<<<1, 8>>>(nullptr, out);
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaGetLastError();
  fill<<<1, 8>>>(out, 3, 8);
  printf("%s ", cudaGetErrorName(cudaGetLastError()));
  show(out, 1);
  printf("%s ", cudaGetErrorName(cudaFree(out)));
  printf("%s ", cudaGetErrorName(cudaFree(out)));
  float* huge;
  printf("%s\n", cudaGetErrorName(cudaMalloc(&huge, (size_t)1 << 45)));
  return 0;
}

int main(int, char** arguments) {
  const std::string name = arguments[1];
  int* out = device_array<int>(1024);
  cudaMemset(out, 0, 1024 * sizeof(int));
  if (name == "indexes") indexes<<<dim3(2, 1, 2), dim3(3, 2, 2)>>>(out), show(out, 48);
  if (name == "order") order<<<1, 64>>>(out), show(out, 64);
  if (name == "reverse") reverse<<<3, 64>>>(out), show(out, 4);
  if (name == "counts") counts<<<1, 64>>>(out), show(out, 1);
  if (name == "two_groups") two_groups<<<1, 32>>>(out), show(out, 17);
  if (name == "active") active<<<1, 32>>>((unsigned*)out), show((unsigned*)out, 3);
  if (name == "votes") votes<<<1, 32>>>((unsigned*)out), show((unsigned*)out, 4);
  if (name == "tree") volatile_warp<<<1, 64>>>((float*)out), show((float*)out, 1);
  if (name == "errors") return errors();
  if (name == "says") says<<<1, 2>>>(2), cudaDeviceSynchronize(), printf("host\n");
  if (name == "poison") {
    unsigned bits;
    float first = download(device_array<float>(4), 4)[0];
    memcpy(&bits, &first, 4);
    printf("%x\n", bits);
  }
  if (name == "shared_poison") shared_leftovers<<<2, 32>>>((float*)out, 1), show((float*)out + 32, 1);
  if (name == "fresh_addresses") {
    float* a = device_array<float>(100);
    cudaFree(a);
    printf("%d\n", a == device_array<float>(100));
  }
  if (name == "throws") throws<<<1, 4>>>(0), printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  if (name == "aborts") aborts<<<1, 4>>>(0), printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  if (name == "divides") divides<<<1, 1>>>(out, 0), printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  if (name == "overflows")
    overflows<<<1, 1>>>((float*)out, 3), printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  if (name == "deadlock") waits_forever<<<1, 64>>>(out), printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  if (name == "beyond")
    fill<<<8192, 256>>>((float*)out, 1, 2000000), printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  if (name == "host_pointer") {
    float* host = new float[32]();
    read_through<<<1, 32>>>(host, (float*)out);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  }
  if (name == "symbols") {
    float values[4] = {1, 2, 3, 4};
    int count;
    cudaMemcpyToSymbol(weights, values, sizeof values);
    count_up<<<1, 4>>>((float*)out);
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    printf("%d ", count), show((float*)out, 4);
  }
  if (name == "huge")
    nothing<<<dim3(40000, 1000), 1024>>>((float*)out), printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  if (name == "many")
    nothing<<<dim3(1000, 20), 1024>>>((float*)out), printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  if (name == "bad_copy") printf("%s\n", cudaGetErrorName(cudaMemcpy(out, out, 4, cudaMemcpyHostToDevice)));
  return 0;
}
