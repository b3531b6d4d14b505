// Runs the threads of one block as fibers, in a fixed order.
//
// A fiber that finishes its thread starts the next fresh thread on the same stack, so a kernel without a barrier is a
// plain loop. A thread that waits keeps its stack; control goes straight to the next runnable thread of the order. When
// no later one is runnable, the round is over: the scheduler opens the barriers whose threads have all arrived and
// begins at the front.
#pragma once

#include <cstdint>

#include "fiber.h"
#include "launch.h"

namespace cudasim {

enum class ThreadState : uint8_t { fresh, ready, at_block_barrier, at_warp_barrier, done };

// Where a thread waits: a line for a barrier, an operation and the address of its call for a warp function.
struct Place {
  const char* file;  // or the operation's name
  int line;          // 0 for a warp function
  void* caller;
};

struct SimThread {
  Fiber* fiber;
  Place waits_at;
};

constexpr int kMaxThreads = 1024, kWarpSize = 32;

struct Block {
  ThreadState state[kMaxThreads];
  SimThread thread[kMaxThreads];
  uint32_t position;    // of the running thread in launch.order
  uint32_t current;     // its number
  Fiber* fiber;         // the fiber it runs on
  uintptr_t stack_low;  // of that fiber: the checker's quickest test
  int live;             // not done
  Context scheduler;
  uint64_t round;  // counts over all blocks; a new one begins whenever a thread is started or resumed
};
extern Block block;

void run_block();
// The current thread has to wait (its state says for what): runs others until it is runnable again.
void wait_here();
// The current thread stays runnable but lets the others of the round go first.
void let_others_run();
inline unsigned current_warp() { return block.current / kWarpSize; }

}  // namespace cudasim
