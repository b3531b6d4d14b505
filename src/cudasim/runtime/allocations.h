// The table of device allocations. Addresses of freed memory are not used again until the arena has been used up once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudasim {

struct Allocation {
  uintptr_t begin;
  size_t bytes;
  uintptr_t committed;  // first committed byte: allocations end where a page ends, so plain mode sees an overrun
  size_t committed_bytes;
  bool freed, managed;
  int number;  // counts from 1, for reports
};

// Commits and poisons (0xFF) memory; nullptr when there is none.
Allocation* allocate(size_t bytes, bool managed);
void release(Allocation* allocation);
Allocation* allocation_at(uintptr_t address);       // that contains the address, live or freed; nullptr when none does
Allocation* nearest_allocation(uintptr_t address);  // whose end or begin is closest
void mark_all_for_checks();                         // shadow state for what was allocated before checks were on
void forget_allocations();                          // cudaDeviceReset: frees what is live
size_t live_bytes();
size_t live_count();

}  // namespace cudasim
