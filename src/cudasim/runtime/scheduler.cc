#include "scheduler.h"

#include <cstring>
#include <exception>

#include "access_patterns.h"
#include "barrier.h"
#include "builtin_indexes.h"
#include "checker.h"
#include "errors.h"
#include "findings.h"
#include "warp.h"

extern "C" {
CUDASIM_API cudasim::Index3 cudasim_thread_index, cudasim_block_index, cudasim_block_size, cudasim_grid_size;
}

namespace cudasim {

Block block;

static void run_threads();

static inline bool runnable(ThreadState state) { return state <= ThreadState::ready; }

// The first runnable thread at or after that position of the order; launch.threads when there is none.
static inline uint32_t next_runnable(uint32_t position) {
  const uint32_t* order = launch.order.data();
  const uint32_t end = (uint32_t)launch.threads;
  while (position < end && !runnable(block.state[order[position]])) position++;
  return position;
}

static inline void make_current(uint32_t position) {
  block.position = position;
  block.current = launch.order[position];
  block.round++;
  cudasim_thread_index = launch.thread_index[block.current];
}

// Control goes from `from` to the thread at that position, which is fresh (and gets a fiber) or waits on its own fiber.
static inline void enter(Context& from, uint32_t position) {
  const uint32_t next = launch.order[position];
  Fiber* fiber = block.state[next] == ThreadState::fresh ? take_fiber(run_threads) : block.thread[next].fiber;
  make_current(position);
  block.fiber = fiber;
  block.stack_low = fiber->stack_low;
  switch_context(from, fiber->context);
}

// Leaves the current fiber for the next thread of this round, or for the scheduler.
static inline void leave() {
  settle_pending_access();
  Fiber* from = block.fiber;
  const uint32_t next = next_runnable(block.position + 1);
  if (next < (uint32_t)launch.threads)
    enter(from->context, next);
  else
    switch_context(from->context, block.scheduler);
}

void wait_here() {
  block.thread[block.current].fiber = block.fiber;
  leave();
}

void let_others_run() {
  if (launch.threads == 1) return;
  wait_here();
}

static void run_kernel_body() {
  // The launch is abandoned after the handlers, not inside them: that ends the exception's life.
  bool thrown = false;
  try {
    launch.request->run_thread(launch.request->arguments);
  } catch (const std::exception& error) {
    report_exception(error.what());
    thrown = true;
  } catch (...) {
    report_exception("of a type that is no std::exception");
    thrown = true;
  }
  if (__builtin_expect(thrown, 0)) abandon_launch(kLaunchFailure);
}

// What a fiber does: its thread, then every fresh thread that comes next in the order.
static void run_threads() {
  for (;;) {
    block.state[block.current] = ThreadState::ready;
    run_kernel_body();
    settle_pending_access();
    block.state[block.current] = ThreadState::done;
    block.live--;
    const uint32_t next = next_runnable(block.position + 1);
    if (next < (uint32_t)launch.threads && block.state[launch.order[next]] == ThreadState::fresh) {
      make_current(next);
      continue;
    }
    give_back_fiber(block.fiber);
    leave();
  }
}

static void reset_block() {
  block.live = launch.threads;
  memset(block.state, (int)ThreadState::fresh, (size_t)launch.threads);
  reset_barrier();
  reset_warps();
}

void run_block() {
  reset_block();
  while (block.live) {
    const uint32_t first = next_runnable(0);
    if (first < (uint32_t)launch.threads) {
      enter(block.scheduler, first);
      if (patterns_on) count_round();
    } else if (!open_warp_groups() && !open_barrier()) {
      report_deadlock();
      abandon_launch(kLaunchFailure);
    }
  }
}

}  // namespace cudasim
