#include "address_space.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>

#include "shadow.h"

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

namespace cudasim {

AddressSpace space;

constexpr size_t kSmallestArena = (size_t)1 << 24;  // 16 MB of device memory: enough for a homework's arrays

static void* reserve(size_t bytes, int protection) {
  void* begin = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return begin == MAP_FAILED ? nullptr : begin;
}

static void* reserve_or_stop(size_t bytes, int protection, const char* what) {
  void* begin = reserve(bytes, protection);
  if (begin) return begin;
  fprintf(stderr, "cudasim: cannot reserve %zu MB of address space for %s; raise the limit (ulimit -v, ulimit -d)\n",
          bytes >> 20, what);
  abort();
}

// The largest arena worth trying. RLIMIT_DATA counts writable pages when they are mapped, not when they are touched,
// and the arena with its shadow is eight times the arena: half of the limit is left to everything else.
static size_t largest_arena() {
  size_t bytes = (size_t)1 << 37;
  rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    while (bytes > kSmallestArena && bytes * 8 > limit.rlim_cur / 2) bytes >>= 1;
  return bytes;
}

void reserve_device() {
  if (space.arena) return;
  // Shadow memory takes 25/4 of the arena on top. Where address space is limited (RLIMIT_AS), a smaller arena must do.
  for (size_t bytes = largest_arena(); bytes >= kSmallestArena; bytes >>= 1) {
    void* trial = reserve(bytes * 8, PROT_NONE);
    if (!trial) continue;
    munmap(trial, bytes * 8);
    space.arena = (uintptr_t)reserve_or_stop(bytes, PROT_NONE, "device memory");
    space.arena_bytes = bytes;
    break;
  }
  if (!space.arena) reserve_or_stop((size_t)1 << 29, PROT_NONE, "device memory");
  space.shared = (uintptr_t)reserve_or_stop(kSharedArenaBytes, PROT_READ | PROT_WRITE, "shared memory");
}

void reserve_shadow() {
  if (space.arena_cells) return;
  const int open = PROT_READ | PROT_WRITE;
  space.arena_states = (uint8_t*)reserve_or_stop(space.arena_bytes / 4, open, "shadow memory");
  space.arena_cells = (Cell*)reserve_or_stop(space.arena_bytes / 4 * sizeof(Cell), open, "shadow memory");
  space.shared_states = (uint8_t*)reserve_or_stop(kSharedArenaBytes / 4, open, "shadow memory");
  space.shared_cells = (Cell*)reserve_or_stop(kSharedArenaBytes / 4 * sizeof(Cell), open, "shadow memory");
  mprotect((void*)space.arena, space.arena_bytes, open);
}

bool commit(uintptr_t begin, size_t bytes) {
  if (space.arena_cells) return true;
  return mprotect((void*)begin, bytes, PROT_READ | PROT_WRITE) == 0;
}

void drop_pages(uintptr_t begin, size_t bytes) {
  uintptr_t end = begin + bytes;
  begin = (begin + kPageBytes - 1) & ~(kPageBytes - 1), end &= ~(kPageBytes - 1);
  if (end > begin) madvise((void*)begin, end - begin, MADV_DONTNEED);
}

void decommit(uintptr_t begin, size_t bytes) {
  if (!space.arena_cells) {
    mmap((void*)begin, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return;
  }
  drop_pages(begin, bytes);
  Cell* cells = space.arena_cells + ((begin - space.arena) >> 2);
  drop_pages((uintptr_t)cells, bytes / 4 * sizeof(Cell));
}

}  // namespace cudasim
