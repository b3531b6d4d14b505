// Which blocks of the running launch have run when, and what they have published with __threadfence().
#pragma once

#include <cstdint>

#include "launch.h"

namespace cudasim {

void forget_blocks();
void remember_block(uint64_t first_epoch, Index3 index);
Index3 block_at(uint64_t epoch);  // the block that ran at this epoch of the launch

// The "last block" pattern: a block writes, fences and then counts itself with an atomic; a later block that has used
// an atomic too may read what was written before the fence.
void note_fence();
void note_atomic();
bool published_by_fence(uint64_t epoch);

}  // namespace cudasim
