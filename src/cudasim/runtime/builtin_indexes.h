// The runtime's side of threadIdx, blockIdx, blockDim and gridDim: plain variables that the scheduler sets.
#pragma once

#include <cstdint>

#include "launch.h"

extern "C" {
CUDASIM_API extern cudasim::Index3 cudasim_thread_index, cudasim_block_index, cudasim_block_size, cudasim_grid_size;
}

namespace cudasim {

// Clang instruments the reads of these, GCC does not.
inline bool is_builtin_index(uintptr_t address) {
  for (const Index3* index : {&cudasim_thread_index, &cudasim_block_index, &cudasim_block_size, &cudasim_grid_size})
    if (address - (uintptr_t)index < sizeof(Index3)) return true;
  return false;
}

}  // namespace cudasim
