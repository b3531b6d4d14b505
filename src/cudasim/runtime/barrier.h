// __syncthreads and its reductions.
#pragma once

namespace cudasim {

void reset_barrier();
bool open_barrier();  // if every live thread of the block waits there

}  // namespace cudasim
