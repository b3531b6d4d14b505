// What every kernel file of the CUDA backend includes: the contract, the CUDA runtime, and the one way to launch a
// kernel.
#pragma once

#include <cuda_runtime.h>

#include "../common/contract.h"

namespace needle {

constexpr int kThreads = 256;               // threads of a one-dimensional block
constexpr int kTile = 16;                   // side of a tile of matmul; its block has kTile x kTile threads
constexpr int kCudaMaxRank = 8;             // axes of a view
constexpr int64_t kMaxBlocks = 0x7fffffff;  // of a grid in x; in y and z only 65535

__host__ __device__ inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Blocks for at least `size` threads, one per element. Always few enough: kMaxBlocks blocks are more elements than a
// device has memory for. The last block is seldom full, so a kernel compares its index with the size.
inline unsigned blocks_for(int64_t size) { return static_cast<unsigned>(ceil_div(size, kThreads)); }

// Blocks for `count` pieces of work where each block loops: piece = blockIdx.x; piece < count; piece += gridDim.x.
inline unsigned blocks_up_to(int64_t count) { return static_cast<unsigned>(std::min(count, kMaxBlocks)); }

// This thread's number in a one-dimensional grid. 64 bits before the product: blockIdx.x * blockDim.x alone has 32.
__device__ inline int64_t global_index() { return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }

// Throws std::runtime_error with CUDA's own words, unless status is cudaSuccess.
void check(cudaError_t status, const char* what);

// Throws if the launch just made was refused; names kernel and configuration. Does not wait for the kernel.
void check_launch(const char* kernel, dim3 grid, dim3 block);

// LAUNCH(kernel, grid, block, arguments...): kernel<<<grid, block>>>(arguments...), and no refused launch goes unseen.
#define LAUNCH(kernel, grid, block, ...)                        \
  do {                                                          \
    const dim3 launch_grid(grid), launch_block(block);          \
    kernel<<<launch_grid, launch_block>>>(__VA_ARGS__);         \
    ::needle::check_launch(#kernel, launch_grid, launch_block); \
  } while (false)

}  // namespace needle
