// Coalescing and bank conflicts: the n-th execution of a site by each lane of a warp forms one request of that warp.
// The first blocks of a launch are enough. After divergence the pairing of lanes is approximate.
#pragma once

#include <cstdint>
#include <string>

namespace cudasim {

extern bool patterns_on;
void count_access(unsigned site, uintptr_t address, unsigned bytes, bool shared, bool is_write);
void count_round();  // the warps' requests are complete
void count_launch();
void forget_patterns();
std::string patterns_json();
std::string patterns_text();

}  // namespace cudasim
