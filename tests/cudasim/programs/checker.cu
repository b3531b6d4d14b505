// Cases of test_checker.py: what the kernels under kernels/ do not show. `checker CASE`.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

static float* device_array(size_t size, bool written = true) {
  float* device;
  std::vector<float> host(size, 1.0f);
  cudaMalloc(&device, size * sizeof(float));
  if (written) cudaMemcpy(device, host.data(), size * sizeof(float), cudaMemcpyHostToDevice);
  return device;
}

// A value that nothing has written is read: used, kept in a register only, or thrown away by the guard.
__global__ void unwritten_used(float* out, int n) {
  __shared__ float s[64];
  if (threadIdx.x < n) s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void unwritten_thrown_away(float* out, int n) {
  __shared__ float s[64];
  if (threadIdx.x < n) s[threadIdx.x] = 1;
  __syncthreads();
  float value = 0;
  for (int k = 0; k < 128; k += 64) value += s[(threadIdx.x + k) % 64];
  if (threadIdx.x < n) out[threadIdx.x] = value;
}
__global__ void unwritten_decides(float* out, int n) {
  __shared__ int limit[1];
  if (threadIdx.x < n) limit[0] = 3;
  __syncthreads();
  out[threadIdx.x] = threadIdx.x < limit[0] ? 1 : 2;
}
__global__ void sum_in_place(float* total, const float* a) { total[threadIdx.x] += a[threadIdx.x]; }

// The last block adds what the others have published.
__device__ unsigned finished;
__global__ void last_block(const float* a, float* partial, float* out, int fence) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = a[blockIdx.x];
    if (fence) __threadfence();
    last = atomicAdd(&finished, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float total = 0;
    for (int i = 0; i < gridDim.x; i++) total += partial[i];
    out[0] = total;
  }
}

__global__ void warp_ordered(float* out, int rounds) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = 1;
  __syncwarp();
  float total = 0;
  for (int i = 0; i < rounds; i++) {
    total += s[(t + 1) % 32];
    __syncwarp();
  }
  out[t] = total;
}
__global__ void warp_unordered(float* out) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = 1;
  __shfl_sync(0xffffffff, t, 0);
  out[t] = s[31 - t];
}
__global__ void old_style_warp(float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = s[t + 32] = 1;
  __syncwarp();
  volatile float* v = s;
  v[t] += v[t + 32];
  v[t] += v[t + 16];
  v[t] += v[t + 8];
  v[t] += v[t + 4];
  v[t] += v[t + 2];
  v[t] += v[t + 1];
  if (t == 0) out[0] = s[0];
}
__global__ void same_value(int* out) { out[0] = 7; }
__global__ void other_value(int* out) { out[0] = threadIdx.x; }
__global__ void bytes(unsigned char* a, int n) {
  if (threadIdx.x < n) a[threadIdx.x] += 1;
}
__global__ void copies(float* out, const float* a) { memcpy(out + 4 * threadIdx.x, a + 4 * threadIdx.x, 16); }
__device__ float first_of(const float* a) { return a[0]; }
__device__ float helper(const float* a, int i) { return first_of(a + i); }
__global__ void through_functions(const float* a, float* out) { out[threadIdx.x] = fmaxf(helper(a, threadIdx.x), 0); }
__global__ void through_library(const float* a, float* out) {
  out[threadIdx.x] = std::max(a[threadIdx.x], a[threadIdx.x + 1]);
}
__global__ void column(const float* a, float* out, int n) { out[threadIdx.x * n] = a[threadIdx.x]; }
__global__ void conflict(float* out) {
  __shared__ float s[1024];
  for (int i = 0; i < 32; i++) s[threadIdx.x * 32 + i] = i;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x * 32];
}
__global__ void lane_outside_mask(int* out) { out[threadIdx.x] = __shfl_sync(0xffff, 1, 0); }
__global__ void prints_what_it_reads(float* out) {
  __shared__ float s[1];
  printf("once\n");
  float value = s[0];
  if (value == 12345) out[1] = value;
}

extern "C" const char* cudasim_access_patterns_text();

int main(int, char** arguments) {
  const std::string name = arguments[1];
  float *a = device_array(1024), *out = device_array(1024, false);
  if (name == "used") unwritten_used<<<1, 64>>>(out, 32);
  if (name == "thrown_away") unwritten_thrown_away<<<1, 64>>>(out, 32);
  if (name == "decides") unwritten_decides<<<1, 32>>>(out, 0);
  if (name == "accumulates") sum_in_place<<<1, 32>>>(out, a);
  if (name == "thrown_away_then_used") unwritten_thrown_away<<<1, 64>>>(out, 32), unwritten_used<<<1, 64>>>(out, 32);
  if (name == "keeps_results") {
    std::vector<float> host(64);
    sum_in_place<<<1, 64>>>(a, a + 64);
    unwritten_thrown_away<<<1, 64>>>(a, 32);
    cudaMemcpy(host.data(), a, 256, cudaMemcpyDeviceToHost);
    printf("%g %g\n", host[31], host[32]);
  }
  if (name == "prints_once") prints_what_it_reads<<<1, 1>>>(out);
  if (name == "last_block") last_block<<<8, 32>>>(a, out, out + 512, 1);
  if (name == "last_block_unfenced") last_block<<<8, 32>>>(a, out, out + 512, 0);
  if (name == "warp_ordered") warp_ordered<<<1, 32>>>(out, 600);
  if (name == "warp_unordered") warp_unordered<<<1, 32>>>(out);
  if (name == "old_style_warp") {
    float sum;
    old_style_warp<<<1, 32>>>(out);
    cudaMemcpy(&sum, out, 4, cudaMemcpyDeviceToHost);
    printf("%g\n", sum);
  }
  if (name == "same_value") cudaMemset(out, 0, 4), same_value<<<1, 64>>>((int*)out);
  if (name == "other_value") other_value<<<1, 64>>>((int*)out);
  if (name == "next_launch") same_value<<<1, 1>>>((int*)out), other_value<<<1, 1>>>((int*)out);
  if (name == "bytes") {
    unsigned char* odd;
    cudaMalloc(&odd, 7);
    cudaMemset(odd, 0, 7);
    bytes<<<1, 8>>>(odd, 7);
    bytes<<<1, 8>>>(odd, 8);
  }
  if (name == "copies") copies<<<1, 257>>>(out, a);
  if (name == "through_functions") through_functions<<<1, 32>>>(a + 1000, out);
  if (name == "through_library") through_library<<<1, 24>>>(a + 1000, out);
  if (name == "lane_outside_mask") lane_outside_mask<<<1, 32>>>((int*)out);
  if (name == "patterns") {
    column<<<1, 32>>>(a, out, 32);
    conflict<<<1, 32>>>(out);
    printf("%s", cudasim_access_patterns_text());
  }
  if (name == "managed") {
    float* both;
    cudaMallocManaged(&both, 32 * sizeof(float));
    for (int i = 0; i < 32; i++) both[i] = i;
    sum_in_place<<<1, 32>>>(both, a);
    cudaDeviceSynchronize();
    printf("%g\n", both[31]);
  }
  return 0;
}
