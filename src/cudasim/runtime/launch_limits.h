// What a launch may ask for: the hardware's limits, and the simulator's own limit on the number of threads.
#pragma once

#include "../include/cudasim/runtime.h"

namespace cudasim {

// False after reporting why not and setting the error that CUDA gives.
bool launch_is_possible(const cudasim_launch_request& request);

}  // namespace cudasim
