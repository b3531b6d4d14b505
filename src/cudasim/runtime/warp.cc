#include "warp.h"

#include <cstring>

#include "checker.h"
#include "errors.h"
#include "findings.h"
#include "replay.h"
#include "scheduler.h"

namespace cudasim {

enum class Operation : uint8_t { barrier, shuffle, gather, converge };

struct Lane {
  Operation operation;
  bool lost_source;  // a shuffle read a lane that takes no part
  int source;
  unsigned mask, participants;
  size_t bytes;
  uint64_t value[2], result[2];
  uint64_t* words;  // on the lane's own stack
  const char* name;
};
static Lane lanes[kMaxThreads];
static int waiting;

void reset_warps() { waiting = 0; }

static unsigned existing_lanes(unsigned warp) {
  const int rest = launch.threads - (int)warp * kWarpSize;
  return rest >= kWarpSize ? ~0u : (1u << rest) - 1;
}

static unsigned lanes_in_state(unsigned warp, ThreadState state) {
  unsigned result = 0;
  for (int lane = 0; lane < kWarpSize; lane++)
    if ((existing_lanes(warp) >> lane & 1) && block.state[warp * kWarpSize + lane] == state) result |= 1u << lane;
  return result;
}

static void wait_for_group(Operation operation, unsigned mask, const char* name, Place place) {
  Lane& lane = lanes[block.current];
  if (operation != Operation::converge && !(mask >> (block.current % kWarpSize) & 1)) {
    report_lane_not_in_mask(name, mask, place);
    abandon_launch(kLaunchFailure);
  }
  lane.operation = operation, lane.mask = mask, lane.name = name;
  block.thread[block.current].waits_at = place;
  block.state[block.current] = ThreadState::at_warp_barrier;
  waiting++;
  wait_here();
}

static void exchange(unsigned warp, unsigned group) {
  Lane* const lane = lanes + warp * kWarpSize;
  for (int i = 0; i < kWarpSize; i++) {
    if (!(group >> i & 1)) continue;
    lane[i].participants = group;
    if (lane[i].operation == Operation::shuffle) {
      const int source = lane[i].source;
      lane[i].lost_source = !(group >> source & 1) || lane[source].operation != Operation::shuffle;
      if (!lane[i].lost_source) memcpy(lane[i].result, lane[source].value, sizeof lane[i].result);
    } else if (lane[i].operation == Operation::gather) {
      for (int j = 0; j < kWarpSize; j++) lane[i].words[j] = (group >> j & 1) ? lane[j].value[0] : 0;
    }
  }
}

static void release(unsigned warp, unsigned group) {
  exchange(warp, group);
  for (int i = 0; i < kWarpSize; i++)
    if (group >> i & 1) block.state[warp * kWarpSize + i] = ThreadState::ready;
  waiting -= __builtin_popcount(group);
  // Only __syncwarp orders memory; a shuffle does not.
  if (lanes[warp * kWarpSize + __builtin_ctz(group)].operation == Operation::barrier) begin_warp_interval(warp);
}

// Lanes that called __activemask: all that wait there together are the converged ones.
static bool release_converged(unsigned warp, unsigned waiting_lanes) {
  unsigned group = 0;
  for (int i = 0; i < kWarpSize; i++)
    if ((waiting_lanes >> i & 1) && lanes[warp * kWarpSize + i].operation == Operation::converge) group |= 1u << i;
  if (group) release(warp, group);
  return group != 0;
}

static bool open_groups_of(unsigned warp) {
  unsigned rest = lanes_in_state(warp, ThreadState::at_warp_barrier);
  const unsigned live = existing_lanes(warp) & ~lanes_in_state(warp, ThreadState::done);
  if (rest && release_converged(warp, rest)) return true;
  bool opened = false;
  while (rest) {
    const unsigned mask = lanes[warp * kWarpSize + __builtin_ctz(rest)].mask, needed = mask & live;
    unsigned group = 0;
    for (int i = 0; i < kWarpSize; i++)
      if ((rest >> i & 1) && lanes[warp * kWarpSize + i].mask == mask) group |= 1u << i;
    if (group == needed) {
      release(warp, group);
      opened = true;
    }
    rest &= ~group;
  }
  return opened;
}

bool open_warp_groups() {
  if (!waiting) return false;
  bool opened = false;
  for (unsigned warp = 0; (int)warp * kWarpSize < launch.threads; warp++) opened |= open_groups_of(warp);
  return opened;
}

}  // namespace cudasim

using namespace cudasim;

extern "C" {

void cudasim_syncwarp(unsigned mask, const char* file, int line) {
  wait_for_group(Operation::barrier, mask, "__syncwarp", {file, line, nullptr});
}

void cudasim_shuffle(unsigned mask, const void* value, void* result, size_t bytes, int source, const char* operation,
                     void* caller) {
  Lane& lane = lanes[block.current];
  memcpy(lane.value, value, bytes);
  lane.source = source, lane.bytes = bytes;
  wait_for_group(Operation::shuffle, mask, operation, {operation, 0, caller});
  if (lane.lost_source) {
    // The hardware gives whatever the register holds. Poison shows; a rerun of the launch tells whether it mattered.
    report_lost_source(operation, source, caller);
    const uint32_t poison = poison_word();
    for (size_t i = 0; i < bytes; i++) ((uint8_t*)result)[i] = (uint8_t)(poison >> 8 * (i % 4));
  } else {
    memcpy(result, lane.result, bytes);
  }
}

unsigned cudasim_gather(unsigned mask, uint64_t value, uint64_t* words, const char* operation, void* caller) {
  Lane& lane = lanes[block.current];
  lane.value[0] = value, lane.words = words;
  wait_for_group(Operation::gather, mask, operation, {operation, 0, caller});
  return lane.participants;
}

unsigned cudasim_activemask() {
  wait_for_group(Operation::converge, 0, "__activemask", {"__activemask", 0, __builtin_return_address(0)});
  return lanes[block.current].participants;
}
}
