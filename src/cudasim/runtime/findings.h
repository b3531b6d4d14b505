// Findings: what is wrong, where, and what to do about it. The functions report_* compose the words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "launch.h"
#include "source_lines.h"

namespace cudasim {

enum class Kind {
  out_of_bounds,
  use_after_free,
  race,
  same_value_race,
  uninitialised,
  uninitialised_unused,
  barrier_divergence,
  exit_before_barrier,
  deadlock,
  lane_not_in_mask,
  inactive_lane,
  inactive_lane_unused,
  host_pointer,
  null_pointer,
  device_pointer_on_host,
  constant_write,
  misaligned,
  local_memory,
  bad_launch,
  thread_budget,
  shared_too_large,
  unwritten_result,
  bad_copy,
  bad_free,
  assertion,
  exception,
  aborted,
  integer_division,
  stack_overflow,
  trap
};

enum class Severity { fault, remark, limit };  // limit: of the simulator, says nothing about the code

struct Finding {
  Kind kind;
  std::string kernel;  // empty for host code
  std::string launch_place;
  uint32_t grid[3], block_size[3];
  Index3 block, thread;
  std::string array;
  int64_t index = -1;
  SourceLine at, other;
  std::string message;
  uint64_t count = 1;                          // how often
  uint64_t same_value = 0, changed_value = 0;  // of racing writes
  bool published = false;
};

const char* kind_name(Kind kind);
Severity severity_of(Kind kind);
const char* severity_name(Severity severity);
const char* advice_for(Kind kind);

// What makes two findings the same: the kind, the kernel and the places.
struct FindingKey {
  Kind kind;
  uint64_t place = 0, other_place = 0;
};

std::vector<Finding*>& all_findings();
// The known finding with this key, counted once more, or nullptr.
Finding* known_finding(const FindingKey& key);
// A new finding of the running thread (or of host code), with everything filled in but the message.
Finding* new_finding(const FindingKey& key);
// Prints and records what is not yet published.
void publish_findings();
void forget_findings();
void number_kernel(const char* name);  // at each launch: kernels of one name are one for deduplication

// "K<<<(2,3,1),(8,8,1)>>> block (0,0,0) thread (0,5,0)"
std::string who();
std::string index_text(Index3 index);
// The addresses from which the running thread was called, innermost (the return address given) first.
std::vector<uintptr_t> call_chain(uintptr_t return_address);

void report_divergent_barrier();
void report_exit_before_barrier();
void report_deadlock();
struct Place;
void report_lane_not_in_mask(const char* operation, unsigned mask, const Place& place);
void report_lost_source(const char* operation, int source, void* caller);
void report_exception(const char* text);

}  // namespace cudasim
