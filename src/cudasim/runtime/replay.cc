#include "replay.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "checker.h"
#include "findings.h"
#include "settings.h"

namespace cudasim {

struct Change {
  uint32_t* word;
  uint32_t before, after;
  uint8_t* state;
  uint8_t state_before, state_after;
};

constexpr uint32_t kPoison = 0xffffffff;  // a NaN, and -1
constexpr uint32_t kOtherPoisons[] = {0x7f7fffff,
                                      0};  // the largest float and a large int; and what fresh memory often holds
constexpr size_t kMaxChanges = 4u << 20;

bool replaying = false;
static std::vector<Change> writes;     // first write of each word, in order
static std::vector<Change> unwritten;  // words that were read before anything had written them
static std::vector<Finding*> to_judge;
static bool too_many, fault_in_replay;
static uint64_t accesses_before, accesses_left;

static uint32_t poison = kPoison;

uint32_t poison_word() { return poison; }

void begin_replay_log() {
  writes.clear(), unwritten.clear(), to_judge.clear();
  too_many = false;
  accesses_before = checker.accesses;
}

void remember_first_write_now(uintptr_t word, uint8_t& state) {
  if (writes.size() >= kMaxChanges)
    too_many = true;
  else
    writes.push_back({(uint32_t*)word, *(uint32_t*)word, 0, &state, state, 0});
}

void remember_unwritten(uintptr_t word, uint8_t& state, bool shared) {
  if (shared || replaying) return;
  if (unwritten.size() >= kMaxChanges)
    too_many = true;
  else
    unwritten.push_back({(uint32_t*)word, *(uint32_t*)word, 0, &state, state, 0});
}

void judge_by_replay(Finding* finding) {
  if (std::find(to_judge.begin(), to_judge.end(), finding) == to_judge.end()) to_judge.push_back(finding);
}

void note_fault_in_replay() { fault_in_replay = true; }

bool replay_wanted() { return !to_judge.empty() && !too_many && settings().replay; }

void count_replayed_access() {
  if (accesses_left-- == 0) abandon_launch(0);
}

static bool was_unwritten(const Change& c) { return (c.state_before & kInitialised) == 0; }

// Only the bytes that were written count.
static uint32_t written_bits(uint8_t state) {
  uint32_t mask = 0;
  for (int byte = 0; byte < 4; byte++)
    if (state >> byte & 1) mask |= 0xffu << 8 * byte;
  return mask;
}

static void keep_results_of_first_run() {
  for (Change& c : writes) c.after = *c.word, c.state_after = *c.state;
  for (Change& c : unwritten) c.after = *c.word, c.state_after = *c.state;
}

// Takes memory back to the beginning of the launch, with the other poison where nothing had been written.
static void put_back_beginning(const std::vector<Change>& first) {
  for (size_t i = first.size(); i--;) {
    const Change& c = first[i];
    *c.word = was_unwritten(c) ? poison : c.before, *c.state = c.state_before;
  }
  for (const Change& c : unwritten) {
    if (was_unwritten(c)) *c.word = poison;
    *c.state = c.state_before;
  }
}

static bool same_result(const std::vector<Change>& first, const std::vector<Change>& second) {
  std::unordered_map<uint32_t*, bool> written;
  for (const Change& c : first) {
    written[c.word] = true;
    if ((*c.word ^ c.after) & written_bits(c.state_after)) return false;
  }
  for (const Change& c : second)
    if (!written.count(c.word) && *c.word != c.before) return false;
  return true;
}

static void restore_first_run(const std::vector<Change>& first, const std::vector<Change>& second) {
  for (size_t i = second.size(); i--;) *second[i].word = second[i].before, *second[i].state = second[i].state_before;
  for (const Change& c : unwritten) *c.word = c.before, *c.state = c.state_after;
  for (const Change& c : first) *c.word = c.after, *c.state = c.state_after;
}

static void apply_verdict(bool mattered) {
  for (Finding* f : to_judge) {
    const bool inactive_lane = f->kind == Kind::inactive_lane || f->kind == Kind::inactive_lane_unused;
    if (!mattered && !f->published) {
      f->kind = inactive_lane ? Kind::inactive_lane_unused : Kind::uninitialised_unused;
    } else if (mattered && severity_of(f->kind) == Severity::remark) {
      f->kind = inactive_lane ? Kind::inactive_lane : Kind::uninitialised;
      f->published = false;  // said again, as the fault that it is now
    }
  }
}

// Runs the launch once more with this poison; true if device memory ends up different.
static bool differs_with(uint32_t other_poison, const std::vector<Change>& first, bool (*run)()) {
  poison = other_poison;
  replaying = true, fault_in_replay = false;
  put_back_beginning(first);
  writes.clear();
  const bool completed = run();
  const bool differs = !completed || too_many || fault_in_replay || !same_result(first, writes);
  replaying = false;
  poison = kPoison;
  restore_first_run(first, writes);
  return differs;
}

void judge_unwritten_values(bool (*run)()) {
  const uint64_t accesses_after = checker.accesses;
  keep_results_of_first_run();
  std::vector<Change> first;
  first.swap(writes);
  bool mattered = false;
  for (uint32_t other_poison : kOtherPoisons) {
    accesses_left = 4 * (accesses_after - accesses_before) + 1000000;
    mattered = mattered || differs_with(other_poison, first, run);
  }
  checker.accesses = accesses_after;
  apply_verdict(mattered);
}

}  // namespace cudasim
