// The checker: decides for each access of a kernel whether the memory is live and written, and whether anything orders
// it after the earlier accesses to the same 4 bytes. This header holds what runs at every access; findings are made
// elsewhere.
#pragma once

#include <algorithm>
#include <cstdint>

#include "address_space.h"
#include "findings.h"
#include "replay.h"
#include "scheduler.h"
#include "shadow.h"

namespace cudasim {

// A finding that the next access decides: a racing write (does it change anything?), or a plain read of what others
// change by atomics (does a compare-and-swap follow?).
struct PendingAccess {
  uintptr_t address;
  unsigned bytes = 0;
  Finding* finding;  // of a write; nullptr for a read
  Access earlier, now;
  uint8_t before[16];
};

struct Checker {
  bool enabled = false;                        // a checked module is loaded
  uint64_t epoch = 1;                          // now
  uint64_t launch_epoch = 1, block_epoch = 1;  // the first of this launch, of this block
  uint16_t interval[kWarpSize] = {};           // of each warp
  uint64_t accesses = 0;
  PendingAccess pending;
  uintptr_t last_read_address = 0;  // of the running thread, unless another has run since
  unsigned last_read_site = 0;
};
extern Checker checker;

void begin_launch_epoch();
void begin_block_epoch();
void begin_interval();                    // a block barrier has opened
void begin_warp_interval(unsigned warp);  // a __syncwarp has opened

void settle_pending_access_now();
inline void settle_pending_access() {
  if (__builtin_expect(checker.pending.bytes != 0, 0)) settle_pending_access_now();
}

// Does nothing order the current thread after this access?
template <bool kShared>
inline bool unordered(Access earlier) {
  const uint64_t epoch = epoch_of(earlier);
  if (epoch < checker.launch_epoch) return false;
  if (epoch < checker.block_epoch) return !kShared;  // another block; shared memory is each block's own
  if (epoch != checker.epoch) return false;
  const unsigned thread = thread_of(earlier);
  if (thread == block.current) return false;
  return thread / kWarpSize != current_warp() || interval_of(earlier) == checker.interval[current_warp()];
}

void found_out_of_bounds(uint8_t state, bool is_write, unsigned site, uintptr_t address, unsigned bytes);
void found_unwritten(unsigned site, uintptr_t address, unsigned bytes);
void found_race(Access earlier, bool earlier_is_write, bool is_write, Access now, uintptr_t address, unsigned bytes);
void hold_pending_read(Access earlier, Access now, uintptr_t address, unsigned bytes);
bool begins_compare_and_swap(uintptr_t address, bool atomic);
void note_compare_and_swap(unsigned read_site);
bool begins_a_loop(unsigned site);  // of compare-and-swap: see pending.cc
bool passes_end_of_allocation(uintptr_t address, unsigned bytes);

// The bytes of word `word` that an access to [offset, offset + bytes) touches, as init bits.
inline uint8_t touched_bytes(uint64_t word, uint64_t offset, unsigned bytes) {
  const uint64_t last = offset + bytes - 1;
  uint8_t touched = kInitialised;
  if (word == offset >> 2) touched &= (uint8_t)(kInitialised << (offset & 3));
  if (word == last >> 2) touched &= (uint8_t)(kInitialised >> (3 - (last & 3)));
  return touched;
}

template <bool kShared>
inline void note_read(Cell& cell, Access now, uintptr_t address, unsigned bytes) {
  if (__builtin_expect(unordered<kShared>(cell.write), 0)) {
    if (is_atomic(cell.write) && !is_atomic(now))
      hold_pending_read(cell.write, now, address, bytes);
    else if (!is_atomic(now))
      found_race(cell.write, true, false, now, address, bytes);
  }
  const uint64_t epoch = epoch_of(cell.reader);
  if (epoch == checker.epoch) {
    (thread_of(cell.reader) == block.current ? cell.reader : cell.other_reader) = now;
  } else if (epoch < checker.launch_epoch || epoch >= checker.block_epoch) {
    cell.reader = now;  // a reader of an earlier block stays: it conflicts with any later write
  }
}

template <bool kShared>
inline void note_write(Cell& cell, uint8_t& state, Access now, uintptr_t word_address, uintptr_t address,
                       unsigned bytes) {
  const bool atomic = is_atomic(now);
  if (__builtin_expect(unordered<kShared>(cell.write), 0) && !(atomic && is_atomic(cell.write)))
    found_race(cell.write, true, true, now, address, bytes);
  else if (__builtin_expect(unordered<kShared>(cell.reader), 0) && !(atomic && is_atomic(cell.reader)))
    found_race(cell.reader, false, true, now, address, bytes);
  else if (__builtin_expect(unordered<kShared>(cell.other_reader), 0) && !(atomic && is_atomic(cell.other_reader)))
    found_race(cell.other_reader, false, true, now, address, bytes);
  if (atomic && epoch_of(cell.reader) == checker.epoch && thread_of(cell.reader) == block.current) cell.reader = now;
  if (atomic && epoch_of(cell.other_reader) == checker.epoch && thread_of(cell.other_reader) == block.current)
    cell.other_reader = now;
  if (!kShared && epoch_of(cell.write) < checker.launch_epoch) remember_first_write(word_address, state);
  cell.write = now;
}

// Checks one access; cells and states belong to the range that begins at `base`.
template <bool kShared>
inline void check(Cell* cells, uint8_t* states, uintptr_t base, uintptr_t address, unsigned bytes, bool is_write,
                  bool atomic, unsigned site) {
  const uint64_t offset = address - base, last_word = (offset + bytes - 1) >> 2;
  const Access access = make_access(checker.epoch, block.current, checker.interval[current_warp()], atomic, site);
  if (!is_write)
    checker.last_read_address = address, checker.last_read_site = site;
  else if (atomic && address == checker.last_read_address)
    note_compare_and_swap(checker.last_read_site);
  for (uint64_t word = offset >> 2; word <= last_word; word++) {
    uint8_t& state = states[word];
    if (__builtin_expect(!(state & kLive), 0) ||
        (__builtin_expect(state & kPartial, 0) && passes_end_of_allocation(address, bytes)))
      return found_out_of_bounds(state, is_write, site, address, bytes);
    const uint8_t touched = touched_bytes(word, offset, bytes);
    if ((!is_write || atomic) && __builtin_expect((state & touched) != touched, 0)) {
      found_unwritten(site, address, bytes);
      remember_unwritten(base + word * 4, state, kShared);
      state |= touched;  // said once
    }
    if (is_write) {
      note_write<kShared>(cells[word], state, with_bytes(access, touched), base + word * 4, address, bytes);
      state |= touched;
    } else {
      note_read<kShared>(cells[word], with_bytes(access, touched), address, bytes);
    }
  }
}

// Every access of a checked module, from the hooks and from the headers' atomics.
void check_elsewhere(uintptr_t address, unsigned bytes, bool is_write, bool atomic, uintptr_t caller);
void check_host_access(uintptr_t address, unsigned bytes, bool is_write, uintptr_t caller);

}  // namespace cudasim
