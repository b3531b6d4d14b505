// Illegal addresses, as the checker and the signal handlers find them.
#pragma once

#include <cstdint>

#include "findings.h"

namespace cudasim {

Kind kind_of_illegal_address(uintptr_t address);
void found_stack_overflow(uintptr_t caller);
// Reports an access to memory that is not the kernel's: "reads shape[0]; argument shape is host memory".
void found_illegal_access(uintptr_t address, unsigned bytes, const char* verb, uintptr_t caller);

}  // namespace cudasim
