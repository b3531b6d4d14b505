#include "block_history.h"

#include <algorithm>
#include <vector>

#include "checker.h"

namespace cudasim {

struct PastBlock {
  uint64_t first_epoch, fenced_epoch;
  Index3 index;
};
static std::vector<PastBlock> past;
static bool atomic_in_block;

void forget_blocks() { past.clear(); }

void remember_block(uint64_t first_epoch, Index3 index) {
  past.push_back({first_epoch, 0, index});
  atomic_in_block = false;
}

static PastBlock* find(uint64_t epoch) {
  auto after = std::upper_bound(past.begin(), past.end(), epoch,
                                [](uint64_t e, const PastBlock& b) { return e < b.first_epoch; });
  return after == past.begin() ? nullptr : &*std::prev(after);
}

Index3 block_at(uint64_t epoch) {
  const PastBlock* found = find(epoch);
  return found ? found->index : launch.block;
}

void note_fence() {
  if (!past.empty()) past.back().fenced_epoch = checker.epoch;
}

void note_atomic() { atomic_in_block = true; }

bool published_by_fence(uint64_t epoch) {
  const PastBlock* found = find(epoch);
  return atomic_in_block && found && found->fenced_epoch >= epoch;
}

}  // namespace cudasim

extern "C" void cudasim_threadfence() {
  if (cudasim::in_kernel && cudasim::checker.enabled) cudasim::note_fence();
}
