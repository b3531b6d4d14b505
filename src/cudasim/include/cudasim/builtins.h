// threadIdx, blockIdx, blockDim, gridDim, warpSize.
//
// They are objects, not macros, because host code has locals of these names. They are const on this side only: their
// value is constant for the life of one thread's run of the kernel (the scheduler restores it after each switch), and
// compilers do not instrument reads of constants.
#pragma once

#include "types.h"

struct cudasim_index3 {
  unsigned x, y, z;
  operator dim3() const { return dim3(x, y, z); }
  operator uint3() const { return uint3{x, y, z}; }
};

#ifdef __APPLE__
#define CUDASIM_SYMBOL(name) "_" name
#else
#define CUDASIM_SYMBOL(name) name
#endif
extern "C" {
extern const cudasim_index3 threadIdx __asm__(CUDASIM_SYMBOL("cudasim_thread_index"))
    __attribute__((visibility("default")));
extern const cudasim_index3 blockIdx __asm__(CUDASIM_SYMBOL("cudasim_block_index"))
    __attribute__((visibility("default")));
extern const cudasim_index3 blockDim __asm__(CUDASIM_SYMBOL("cudasim_block_size"))
    __attribute__((visibility("default")));
extern const cudasim_index3 gridDim __asm__(CUDASIM_SYMBOL("cudasim_grid_size")) __attribute__((visibility("default")));
}
static const int warpSize = 32;
