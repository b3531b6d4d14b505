#include "barrier.h"

#include <cstring>

#include "checker.h"
#include "findings.h"
#include "scheduler.h"

namespace cudasim {

static struct {
  int waiting, trues;
  Place first;          // where the first thread to arrive waits
  bool differs;         // another one waits elsewhere
  int count, all, any;  // the results of the last opening
} barrier;

void reset_barrier() { barrier.waiting = barrier.trues = 0, barrier.differs = false; }

static void arrive(const char* file, int line, int predicate) {
  if (!in_kernel) return;
  if (barrier.waiting == 0)
    barrier.first = {file, line, nullptr};
  else if (barrier.first.line != line || (barrier.first.file != file && strcmp(barrier.first.file, file) != 0))
    barrier.differs = true;
  barrier.waiting++;
  barrier.trues += predicate;
  block.thread[block.current].waits_at = {file, line, nullptr};
  block.state[block.current] = ThreadState::at_block_barrier;
  wait_here();
}

bool open_barrier() {
  if (barrier.waiting == 0 || barrier.waiting != block.live) return false;
  if (barrier.differs) report_divergent_barrier();
  if (block.live < launch.threads) report_exit_before_barrier();
  barrier.count = barrier.trues, barrier.any = barrier.trues > 0, barrier.all = barrier.trues == barrier.waiting;
  for (int t = 0; t < launch.threads; t++)
    if (block.state[t] == ThreadState::at_block_barrier) block.state[t] = ThreadState::ready;
  reset_barrier();
  begin_interval();
  return true;
}

}  // namespace cudasim

extern "C" {
void cudasim_syncthreads(const char* file, int line) { cudasim::arrive(file, line, 0); }
int cudasim_syncthreads_reduce(int predicate, int operation, const char* file, int line) {
  cudasim::arrive(file, line, predicate);
  return operation == 0 ? cudasim::barrier.count : operation == 1 ? cudasim::barrier.all : cudasim::barrier.any;
}
}
