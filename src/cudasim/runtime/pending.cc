// Findings that the next access decides, and the loops of compare-and-swap that they must not disturb.
#include <cstring>
#include <vector>

#include "checker.h"

namespace cudasim {

// Sites of plain reads that an atomic on the same address has followed: the heads of compare-and-swap loops. Such a
// loop may also end after the read, when there is nothing to do.
static std::vector<bool> loop_heads(kMaxSites);

void note_compare_and_swap(unsigned read_site) { loop_heads[read_site] = true; }
bool begins_a_loop(unsigned site) { return loop_heads[site]; }

// A plain read of what others change by atomics is a race, unless the thread goes on with an atomic on the same
// address: that is how a compare-and-swap loop begins.
void hold_pending_read(Access earlier, Access now, uintptr_t address, unsigned bytes) {
  checker.pending.address = address, checker.pending.bytes = bytes, checker.pending.finding = nullptr;
  checker.pending.earlier = earlier, checker.pending.now = now;
}

bool begins_compare_and_swap(uintptr_t address, bool atomic) {
  PendingAccess& read = checker.pending;
  if (read.finding || !atomic || read.address != address) return false;
  read.bytes = 0;
  return true;
}

void settle_pending_access_now() {
  PendingAccess& write = checker.pending;
  if (!write.finding) {
    const PendingAccess read = write;
    write.bytes = 0;
    return found_race(read.earlier, true, false, read.now, read.address, read.bytes);
  }
  const bool same = memcmp(write.before, (const void*)write.address, write.bytes) == 0;
  (same ? write.finding->same_value : write.finding->changed_value)++;
  write.bytes = 0;
}

}  // namespace cudasim
