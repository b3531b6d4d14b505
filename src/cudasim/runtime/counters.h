// The counters of include/cudasim/api.h.
#pragma once

#include "../include/cudasim/api.h"

namespace cudasim {

extern cudasim_counters counters;

}  // namespace cudasim
