#include "allocations.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "address_space.h"
#include "shadow.h"

namespace cudasim {

// By first address. Freed ones stay, so that a use after free can name what it was.
static std::map<uintptr_t, Allocation> table;
static uintptr_t next_free;
static int numbers;
static size_t live_total, live_number;

constexpr size_t kAlignment = 16;
constexpr size_t kMinGap = 65536, kMaxGap = 1 << 20;
constexpr size_t kNear = 4096;  // what a read just outside an array gets is the poison, not a plausible 0
constexpr size_t kPoisonLimit = (size_t)64
                                << 20;  // larger allocations are not filled: their pages would all be touched

static size_t round_up(size_t bytes) { return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes; }

// The end of the first live allocation that reaches into [begin, end), or 0.
static uintptr_t obstacle(uintptr_t begin, uintptr_t end) {
  auto it = table.lower_bound(begin);
  if (it != table.begin()) --it;
  for (; it != table.end() && it->second.committed < end; ++it) {
    const Allocation& a = it->second;
    if (!a.freed && a.committed + a.committed_bytes > begin) return a.committed + a.committed_bytes;
  }
  return 0;
}

static void forget_freed(uintptr_t begin, uintptr_t end) {
  auto it = table.lower_bound(begin);
  if (it != table.begin()) --it;
  while (it != table.end() && it->second.committed < end) {
    const Allocation& a = it->second;
    it = a.freed && a.committed + a.committed_bytes > begin ? table.erase(it) : std::next(it);
  }
}

// A hole of that many bytes, searched onwards from the last one; 0 when there is none.
static uintptr_t find_hole(size_t bytes) {
  const uintptr_t first = space.arena + kMinGap, last = space.arena + space.arena_bytes;
  if (!next_free) next_free = first;
  for (int round = 0; round < 2; round++) {
    while (next_free + bytes <= last) {
      uintptr_t blocked_until = obstacle(next_free, next_free + bytes);
      if (!blocked_until) return next_free;
      next_free = blocked_until + kMinGap;
    }
    next_free = first;
  }
  return 0;
}

static void set_shadow(const Allocation& a, uint8_t state) {
  if (!space.arena_states) return;
  size_t first = (a.begin - space.arena) >> 2, whole = a.bytes / 4;
  memset(space.arena_states + first, state, whole);
  if (a.bytes % 4) space.arena_states[first + whole] = (uint8_t)(state | kPartial);
}

Allocation* allocate(size_t bytes, bool managed) {
  reserve_device();
  if (bytes > space.arena_bytes / 2) return nullptr;
  const size_t body = round_up(bytes), gap = round_up(std::clamp(bytes, kMinGap, kMaxGap));
  const uintptr_t hole = find_hole(body + gap);
  if (!hole || !commit(hole, body)) return nullptr;
  forget_freed(hole, hole + body + gap);
  next_free = hole + body + gap;
  const uintptr_t begin = hole + ((body - bytes) & ~(kAlignment - 1));
  if (bytes <= kPoisonLimit && space.arena_states)  // with checks on, the gaps on both sides are open memory too
    memset((void*)(hole - kNear), 0xff, body + 2 * kNear);
  else if (bytes <= kPoisonLimit)
    memset((void*)begin, 0xff, bytes);
  Allocation a = {begin, bytes, hole, body, false, managed, ++numbers};
  if (space.arena_states) memset(space.arena_states + ((hole - space.arena) >> 2), 0, body / 4);
  set_shadow(a, (uint8_t)(kLive | (managed ? kManaged : 0)));
  live_total += bytes, live_number++;
  return &(table[begin] = a);
}

void release(Allocation* allocation) {
  allocation->freed = true;
  set_shadow(*allocation, kFreed);
  decommit(allocation->committed, allocation->committed_bytes);
  live_total -= allocation->bytes, live_number--;
}

Allocation* allocation_at(uintptr_t address) {
  auto it = table.upper_bound(address);
  if (it == table.begin()) return nullptr;
  Allocation& a = (--it)->second;
  return address < a.begin + std::max<size_t>(a.bytes, 1) ? &a : nullptr;
}

Allocation* nearest_allocation(uintptr_t address) {
  if (Allocation* inside = allocation_at(address)) return inside;
  auto above = table.upper_bound(address);
  if (table.empty()) return nullptr;
  if (above == table.begin()) return &above->second;
  Allocation& below = std::prev(above)->second;
  if (above == table.end()) return &below;
  return address - (below.begin + below.bytes) <= above->second.begin - address ? &below : &above->second;
}

void mark_all_for_checks() {
  for (auto& entry : table) {
    const Allocation& a = entry.second;
    set_shadow(a, (uint8_t)(a.freed ? kFreed : kLive | kInitialised | (a.managed ? kManaged : 0)));
  }
}

void forget_allocations() {
  for (auto& entry : table)
    if (!entry.second.freed) release(&entry.second);
}

size_t live_bytes() { return live_total; }
size_t live_count() { return live_number; }

}  // namespace cudasim
