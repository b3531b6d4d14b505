// Shared memory of the running block: where each declaration lies and what it is called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cudasim {

struct SharedVariable {
  std::string name;
  uintptr_t begin;
  size_t bytes, element_bytes;
  int rank;
  size_t extents[3];
};

constexpr size_t kStaticSharedLimit = 48 << 10, kDynamicSharedLimit = 227 << 10;

void begin_launch_shared(size_t dynamic_bytes);
void begin_block_shared();                                      // unwritten again: poison, and shadow state
const SharedVariable* shared_variable_near(uintptr_t address);  // nullptr when none is declared
const SharedVariable* dynamic_shared_variable();
size_t allowed_dynamic_shared(const void* function);  // bytes; 48 KB unless cudaFuncSetAttribute raised it

}  // namespace cudasim
