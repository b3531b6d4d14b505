// A record of the kernel that runs now, for a parent that has to say which one did not end: in memory, and in the file
// CUDASIM_CURRENT_KERNEL, which outlives the process.
#pragma once

#include "../include/cudasim/runtime.h"

namespace cudasim {

void record_current_kernel(const cudasim_launch_request* request);  // nullptr: none runs

}  // namespace cudasim
