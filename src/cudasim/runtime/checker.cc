#include "checker.h"

#include <cstring>
#include <vector>

#include "allocations.h"
#include "block_history.h"
#include "describe.h"
#include "sites.h"
#include "text.h"

namespace cudasim {

Checker checker;

// Epochs have 30 bits. Long before a program gets there, what the cells remember is forgotten.
static void forget_if_epochs_run_out() {
  if (checker.epoch < kMaxEpoch / 2) return;
  memset(space.shared_cells, 0, kSharedArenaBytes / 4 * sizeof(Cell));
  const uintptr_t cells = (uintptr_t)space.arena_cells;
  drop_pages(cells, space.arena_bytes / 4 * sizeof(Cell));
  checker.epoch = 1;
}

void begin_launch_epoch() {
  if (checker.enabled) forget_if_epochs_run_out();
  checker.launch_epoch = ++checker.epoch;
  forget_blocks();
}

void begin_block_epoch() {
  begin_interval();
  checker.block_epoch = checker.epoch;
  if (checker.enabled) remember_block(checker.epoch, launch.block);
}

void begin_interval() {
  checker.epoch++;
  memset(checker.interval, 0, sizeof checker.interval);
}

void begin_warp_interval(unsigned warp) {
  // When a warp's counter is full, all warps count as ordered: a race may be missed, but none is invented.
  if (++checker.interval[warp] == kMaxInterval) begin_interval();
}

bool passes_end_of_allocation(uintptr_t address, unsigned bytes) {
  const Allocation* a = allocation_at(address & ~(uintptr_t)3);  // the address itself may lie beyond
  return a && address + bytes > a->begin + a->bytes;
}

static const char* verb(bool is_write) { return is_write ? "writes" : "reads"; }

static std::string element_and_extent(const Description& d) {
  return d.extent.empty() ? d.element : d.element + "; " + d.extent;
}

void found_out_of_bounds(uint8_t state, bool is_write, unsigned site, uintptr_t address, unsigned bytes) {
  const FindingKey key = {state & kFreed ? Kind::use_after_free : Kind::out_of_bounds,
                          line_key(site) ^ array_key(address), is_write};
  if (replaying) return note_fault_in_replay();
  if (known_finding(key)) return;
  const Description d = describe(address, bytes);
  Finding* f = new_finding(key);
  f->array = d.array, f->index = d.index;
  f->at = users_line(call_chain(sites.addresses[site]));
  f->message =
      format("%s %s %s (%s)", who().c_str(), verb(is_write), element_and_extent(d).c_str(), f->at.text().c_str());
}

void found_unwritten(unsigned site, uintptr_t address, unsigned bytes) {
  if (replaying) return;
  const FindingKey key = {Kind::uninitialised, line_key(site) ^ array_key(address)};
  if (Finding* known = known_finding(key)) return judge_by_replay(known);
  const Description d = describe(address, bytes);
  Finding* f = new_finding(key);
  f->array = d.array, f->index = d.index;
  f->at = users_line(call_chain(sites.addresses[site]));
  f->message =
      format("%s reads %s, which nothing has written (%s)", who().c_str(), d.element.c_str(), f->at.text().c_str());
  judge_by_replay(f);
}

static std::string missing_order(Access earlier, bool shared) {
  if (epoch_of(earlier) < checker.block_epoch) return "blocks are never ordered within a launch";
  if (shared && thread_of(earlier) / kWarpSize == current_warp())
    return "no __syncthreads() or __syncwarp() lies between";
  return "no __syncthreads() lies between";
}

void found_race(Access earlier, bool earlier_is_write, bool is_write, Access now, uintptr_t address, unsigned bytes) {
  if (replaying || !(bytes_of(earlier) & bytes_of(now))) return;
  const unsigned site = site_of(now);
  const bool atomic = is_atomic(now);
  const bool other_block = epoch_of(earlier) < checker.block_epoch;
  if (other_block && published_by_fence(epoch_of(earlier))) return;
  if (!is_write && is_atomic(earlier) && begins_a_loop(site)) return;
  if (!earlier_is_write && atomic && begins_a_loop(site_of(earlier))) return;
  const FindingKey key = {Kind::race, (line_key(site) ^ array_key(address)) * 2 + is_write,
                          line_key(site_of(earlier)) * 2 + earlier_is_write};
  Finding* f = known_finding(key);
  if (!f) {
    const Description d = describe(address, bytes);
    f = new_finding(key);
    f->array = d.array, f->index = d.index;
    f->at = users_line(call_chain(sites.addresses[site]));
    f->other = line_of(sites.addresses[site_of(earlier)]);
    const std::string here = f->at.text(), there = f->other.text();
    if (atomic && !is_atomic(earlier)) std::swap(f->at, f->other);  // the line to change is the one that is not atomic
    const std::string where = other_block ? "of block " + index_text(block_at(epoch_of(earlier))) : "of the same block";
    f->message = format("%s %s %s (%s); thread %s %s %s it (%s) and %s", who().c_str(), verb(is_write),
                        d.element.c_str(), here.c_str(), index_text(thread_index(thread_of(earlier))).c_str(),
                        where.c_str(), earlier_is_write ? "wrote" : "read", there.c_str(),
                        missing_order(earlier, space.in_shared(address)).c_str());
  }
  if (!earlier_is_write || !is_write || bytes > sizeof checker.pending.before) {
    f->changed_value++;
    return;
  }
  checker.pending.address = address, checker.pending.bytes = bytes, checker.pending.finding = f;
  memcpy(checker.pending.before, (const void*)address, bytes);
}

}  // namespace cudasim
