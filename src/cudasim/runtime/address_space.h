// The two address ranges of the device, reserved once and never moved: global memory (the arena) and one block's shared
// memory. Nothing in the arena is readable until an allocation commits it. With checks on, shadow memory of both ranges
// is reserved too: cells and states, one per 4 bytes (see shadow.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudasim {

constexpr size_t kPageBytes = 16384;           // a multiple of every page size in use (4 KB, 16 KB on Apple)
constexpr size_t kSharedArenaBytes = 1 << 20;  // address space for shared memory: declarations, each with a red zone
constexpr size_t kSharedRedZoneBytes = 512;

struct Cell;

struct AddressSpace {
  uintptr_t arena = 0;
  size_t arena_bytes = 0;
  uintptr_t shared = 0;
  Cell *arena_cells = nullptr, *shared_cells = nullptr;
  uint8_t *arena_states = nullptr, *shared_states = nullptr;

  bool in_arena(uintptr_t address) const { return address - arena < arena_bytes; }
  bool in_shared(uintptr_t address) const { return address - shared < kSharedArenaBytes; }
};

extern AddressSpace space;

void reserve_device();  // idempotent
void reserve_shadow();  // after reserve_device; makes the whole arena accessible, since the checker sees every access
bool commit(uintptr_t begin, size_t bytes);
void drop_pages(uintptr_t begin, size_t bytes);  // their content becomes zero
void decommit(uintptr_t begin, size_t bytes);    // gives the pages back; plain mode also makes them unreadable

}  // namespace cudasim
