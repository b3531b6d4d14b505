#include "launch.h"

#include <setjmp.h>

#include <cstdio>
#include <mutex>
#include <numeric>

#include "access_patterns.h"
#include "allocations.h"
#include "builtin_indexes.h"
#include "checker.h"
#include "counters.h"
#include "current_kernel.h"
#include "errors.h"
#include "fault_signals.h"
#include "launch_limits.h"
#include "replay.h"
#include "scheduler.h"
#include "settings.h"
#include "shared_memory.h"
#include "text.h"

namespace cudasim {

Launch launch;
__thread bool in_kernel = false;
static sigjmp_buf way_out;
static std::mutex one_launch;

Index3 thread_index(unsigned thread) { return launch.thread_index[thread]; }

void abandon_launch(int error) {
  if (!replaying) set_sticky_error(error);
  siglongjmp(way_out, 1);
}

// A deterministic shuffle: warps among each other, and lanes within each warp, so that a warp's threads stay together.
static void permute(std::vector<uint32_t>& order, uint64_t seed) {
  auto random = [&seed](uint32_t below) {
    seed += 0x9E3779B97F4A7C15ull;  // splitmix64
    uint64_t z = seed;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return (uint32_t)((z ^ z >> 31) % below);
  };
  const uint32_t threads = (uint32_t)order.size(), warps = (threads + kWarpSize - 1) / kWarpSize;
  std::vector<uint32_t> warp(warps), result;
  std::iota(warp.begin(), warp.end(), 0u);
  for (uint32_t i = warps; i > 1; i--) std::swap(warp[i - 1], warp[random(i)]);
  for (uint32_t w : warp) {
    const uint32_t first = (uint32_t)result.size();
    for (uint32_t t = w * kWarpSize; t < threads && t < (w + 1) * kWarpSize; t++) result.push_back(t);
    for (uint32_t i = (uint32_t)result.size() - first; i > 1; i--)
      std::swap(result[first + i - 1], result[first + random(i)]);
  }
  order = result;
}

static void prepare_threads(const cudasim_launch_request& r) {
  launch.threads = (int)(r.block[0] * r.block[1] * r.block[2]);
  launch.thread_index.resize((size_t)launch.threads);
  launch.order.resize((size_t)launch.threads);
  uint32_t t = 0;
  for (uint32_t z = 0; z < r.block[2]; z++)
    for (uint32_t y = 0; y < r.block[1]; y++)
      for (uint32_t x = 0; x < r.block[0]; x++, t++) launch.thread_index[t] = {x, y, z}, launch.order[t] = t;
  if (settings().seed) permute(launch.order, settings().seed + cudasim_launch_number);
  cudasim_block_size = {r.block[0], r.block[1], r.block[2]};
  cudasim_grid_size = {r.grid[0], r.grid[1], r.grid[2]};
}

static void begin_block(uint32_t x, uint32_t y, uint32_t z) {
  launch.block = cudasim_block_index = {x, y, z};
  begin_block_shared();
  if (!launch.request->checked) return;
  begin_block_epoch();
  patterns_on = !replaying && launch.blocks_run < (uint64_t)settings().pattern_blocks;
}

// Runs all blocks, x fastest; false if the launch was abandoned.
static bool run_blocks() {
  const unsigned* grid = launch.request->grid;
  launch.blocks_run = 0;
  begin_launch_epoch();
  if (sigsetjmp(way_out, 0)) {
    patterns_on = false;
    checker.pending.bytes = 0;
    report_signal();
    give_back_all_fibers();
    return false;
  }
  for (uint32_t z = 0; z < grid[2]; z++)
    for (uint32_t y = 0; y < grid[1]; y++)
      for (uint32_t x = 0; x < grid[0]; x++) {
        begin_block(x, y, z);
        run_block();
        launch.blocks_run++;
      }
  patterns_on = false;
  return true;
}

static void run_kernel(const cudasim_launch_request& request) {
  prepare_threads(request);
  number_kernel(request.kernel);
  launch.last_place = {request.file, request.line};
  launch.last_text = std::string(request.kernel) + " (" + launch.last_place.text() + ")";
  begin_launch_shared(request.dynamic_shared_bytes);
  begin_replay_log();
  record_current_kernel(&request);
  catch_signals();
  in_kernel = true;
  const bool completed = run_blocks();
  if (completed && request.checked && replay_wanted()) judge_unwritten_values(run_blocks);
  in_kernel = false;
  release_signals();
  record_current_kernel(nullptr);
  begin_launch_epoch();                                            // what the host does now is ordered after the kernel
  if (!request.checked && checker.enabled) mark_all_for_checks();  // a plain kernel writes unseen
  counters.launches++;
  counters.threads += (int64_t)launch.blocks_run * launch.threads;
  if (request.checked) count_launch();
}

}  // namespace cudasim

extern "C" void cudasim_launch(const cudasim_launch_request* request) {
  using namespace cudasim;
  if (in_kernel) {
    report_exception("a kernel launches a kernel, which the simulator does not support");
    abandon_launch(kLaunchFailure);
  }
  std::lock_guard<std::mutex> lock(one_launch);
  reserve_device();
  launch.request = request;
  if (launch_is_possible(*request)) run_kernel(*request);
  publish_findings();
}
