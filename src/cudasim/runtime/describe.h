// From an address to the student's words for it: which array, which element, how large it is.
#pragma once

#include <cstdint>
#include <string>

namespace cudasim {

struct Description {
  std::string array;    // "ta", "allocation #3"
  int64_t index = -1;   // flat, in elements
  std::string element;  // "ta[0][1]"
  std::string extent;   // "ta has 8 x 8 elements"; empty when unknown
};

Description describe(uintptr_t address, unsigned bytes);
// Equal for addresses in one array, also over several launches of a kernel.
uint64_t array_key(uintptr_t address);
// The name of the kernel's parameter at this position.
std::string parameter_name(int position);

}  // namespace cudasim
