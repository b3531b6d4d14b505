// The findings of barriers, warp functions and exceptions.
#include "findings.h"
#include "replay.h"
#include "scheduler.h"
#include "text.h"

namespace cudasim {

static SourceLine source_line(const Place& place) {
  if (!place.line) return line_of((uintptr_t)place.caller);
  return {place.file, place.line};
}

static std::string place_text(const Place& place) { return source_line(place).text(); }

static uint64_t place_key(const Place& place) { return (uint64_t)(uintptr_t)place.file ^ (uint64_t)place.line << 48; }

static bool same_place(const Place& a, const Place& b) {
  return a.line == b.line && base_name(a.file) == base_name(b.file);
}

static int first_thread_in(ThreadState state) {
  for (int t = 0; t < launch.threads; t++)
    if (block.state[t] == state) return t;
  return -1;
}

// The findings below are made by the scheduler; they speak of the thread that they name.
static Finding* finding_of_thread(const FindingKey& key, int thread) {
  if (replaying || known_finding(key)) return nullptr;
  block.current = (uint32_t)thread;
  return new_finding(key);
}

void report_divergent_barrier() {
  const int first = first_thread_in(ThreadState::at_block_barrier);
  const Place here = block.thread[first].waits_at;
  int other = first;
  while (other + 1 < launch.threads &&
         (block.state[other] != ThreadState::at_block_barrier || same_place(block.thread[other].waits_at, here)))
    other++;
  const Place there = block.thread[other].waits_at;
  Finding* f = finding_of_thread({Kind::barrier_divergence, place_key(here), place_key(there)}, first);
  if (!f) return;
  f->at = source_line(here), f->other = source_line(there);
  f->message =
      format("%s waits in __syncthreads() (%s), thread %s of its block in another one (%s)", who().c_str(),
             place_text(here).c_str(), index_text(thread_index((unsigned)other)).c_str(), place_text(there).c_str());
}

void report_exit_before_barrier() {
  const int waiting = first_thread_in(ThreadState::at_block_barrier), gone = first_thread_in(ThreadState::done);
  const Place here = block.thread[waiting].waits_at;
  Finding* f = finding_of_thread({Kind::exit_before_barrier, place_key(here)}, waiting);
  if (!f) return;
  f->at = source_line(here);
  f->message = format(
      "%s waits in __syncthreads() (%s), but %d of the block's %d threads have returned, the first one is thread %s",
      who().c_str(), place_text(here).c_str(), launch.threads - block.live, launch.threads,
      index_text(thread_index((unsigned)gone)).c_str());
}

void report_deadlock() {
  const int in_warp = first_thread_in(ThreadState::at_warp_barrier),
            in_block = first_thread_in(ThreadState::at_block_barrier);
  const int first = in_warp >= 0 ? in_warp : in_block;
  const Place here = block.thread[first].waits_at;
  Finding* f = finding_of_thread({Kind::deadlock, place_key(here)}, first);
  if (!f) return;
  f->at = source_line(here);
  f->message =
      format("%s waits in %s (%s)", who().c_str(),
             here.line ? in_warp >= 0 ? "__syncwarp()" : "__syncthreads()" : here.file, place_text(here).c_str());
  if (in_warp >= 0 && in_block >= 0) {
    const Place there = block.thread[in_block].waits_at;
    f->other = source_line(there);
    f->message += format(", thread %s in __syncthreads() (%s)", index_text(thread_index((unsigned)in_block)).c_str(),
                         place_text(there).c_str());
  }
  f->message += ": the block can never go on";
}

void report_lane_not_in_mask(const char* operation, unsigned mask, const Place& place) {
  const FindingKey key = {Kind::lane_not_in_mask, place_key(place)};
  if (replaying || known_finding(key)) return;
  Finding* f = new_finding(key);
  f->at = source_line(place);
  f->message = format("%s is lane %u and calls %s (%s) with mask 0x%08x, which does not name it", who().c_str(),
                      block.current % kWarpSize, operation, f->at.text().c_str(), mask);
}

void report_lost_source(const char* operation, int source, void* caller) {
  if (replaying) return;
  const FindingKey key = {Kind::inactive_lane, (uint64_t)(uintptr_t)operation, (uint64_t)(uintptr_t)caller};
  if (Finding* known = known_finding(key)) return judge_by_replay(known);
  Finding* f = new_finding(key);
  f->at = users_line(call_chain((uintptr_t)caller));
  f->message = format(
      "%s takes a value from lane %d by %s (%s), but that lane %s", who().c_str(), source, operation,
      f->at.text().c_str(),
      (int)(block.current / kWarpSize) * kWarpSize + source >= launch.threads ? "does not exist" : "takes no part");
  judge_by_replay(f);
}

void report_exception(const char* text) {
  const FindingKey key = {Kind::exception};
  if (replaying || known_finding(key)) return;
  Finding* f = new_finding(key);
  f->message = format("%s throws an exception: %s", who().c_str(), text);
}

}  // namespace cudasim
