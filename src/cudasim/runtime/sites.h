// A site is a place in the student's code from which memory is accessed: a return address with a small number, so that
// it fits into a shadow word. Number 0 means "unknown" (the table was full).
#pragma once

#include <cstdint>
#include <vector>

#include "shadow.h"

namespace cudasim {

struct SiteTable {
  static constexpr unsigned kSlots = 2 * kMaxSites;
  struct Slot {
    uintptr_t address;
    unsigned number;
  };
  Slot slots[kSlots] = {};
  std::vector<uintptr_t> addresses = {0};  // by number

  unsigned number_of(uintptr_t address) {
    unsigned i = (unsigned)(address * 0x9E3779B97F4A7C15ull >> 40) % kSlots;
    for (;; i = (i + 1) % kSlots) {
      if (__builtin_expect(slots[i].address == address, 1)) return slots[i].number;
      if (!slots[i].address) return add(i, address);
    }
  }

 private:
  unsigned add(unsigned slot, uintptr_t address);
};
extern SiteTable sites;

// Equal for sites on one line of the source: a compiler may make several copies of a statement.
uint64_t line_key(unsigned site);

}  // namespace cudasim
