// The C interface of include/cudasim/api.h, and the calls of the headers that belong nowhere else.
#include "../include/cudasim/api.h"

#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "access_patterns.h"
#include "allocations.h"
#include "checker.h"
#include "counters.h"
#include "errors.h"
#include "findings.h"
#include "publish.h"
#include "settings.h"
#include "text.h"

namespace cudasim {

cudasim_counters counters = {};

static const char* keep(const std::string& text) {
  static std::string kept;
  kept = text;
  return kept.c_str();
}

static std::string all_of(std::string (*text_of)(const Finding&)) {
  std::string text;
  for (const Finding* f : all_findings()) text += text_of(*f) + "\n";
  return text;
}

static void print_patterns_at_exit() {
  const std::string text = patterns_text();
  if (!text.empty())
    fprintf(stderr, "cudasim: memory access (first %d blocks of each launch)\n%s", settings().pattern_blocks,
            text.c_str());
}

}  // namespace cudasim

using namespace cudasim;

extern "C" {

void cudasim_read_counters(cudasim_counters* result) {
  counters.accesses = (int64_t)checker.accesses;
  counters.live_allocations = (int64_t)live_count(), counters.live_bytes = (int64_t)live_bytes();
  counters.faults = counters.remarks = 0;
  for (const Finding* f : all_findings()) {
    counters.faults += severity_of(f->kind) == Severity::fault;
    counters.remarks += severity_of(f->kind) == Severity::remark;
  }
  *result = counters;
}

void cudasim_reset_counters() {
  const int64_t resets = counters.resets;
  counters = {};
  counters.resets = resets + 1;
  checker.accesses = 0;
}

int64_t cudasim_report_count() { return (int64_t)all_findings().size(); }
const char* cudasim_reports_json() { return keep(all_of(finding_json)); }
const char* cudasim_reports_text() { return keep(all_of(finding_text)); }
const char* cudasim_access_patterns_json() { return keep(patterns_json()); }
const char* cudasim_access_patterns_text() { return keep(patterns_text()); }

void cudasim_reset_reports() {
  forget_findings();
  forget_patterns();
  clear_errors();
  counters.resets++;
}

int cudasim_checks_enabled() { return checker.enabled; }

void cudasim_enable_checks() {
  if (checker.enabled) return;
#if defined(__linux__) && defined(__x86_64__)
  reserve_device();
  reserve_shadow();
  checker.enabled = true;
  mark_all_for_checks();
  if (settings().print_patterns) atexit(print_patterns_at_exit);
#else
  fprintf(stderr, "cudasim: checks are not supported on this platform; build without them\n");
  abort();
#endif
}

int64_t cudasim_clock_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void cudasim_trap(void* caller) {
  const FindingKey key = {Kind::trap, (uint64_t)(uintptr_t)caller};
  if (!in_kernel) abort();
  if (!replaying && !known_finding(key)) {
    Finding* f = new_finding(key);
    f->at = users_line(call_chain((uintptr_t)caller));
    f->message = format("%s calls __trap() (%s)", who().c_str(), f->at.text().c_str());
  }
  abandon_launch(kLaunchFailure);
}

void cudasim_assert_failed(const char* expression, const char* file, unsigned line, const char*) {
  const std::string place = base_name(file) + ":" + std::to_string(line);
  if (!in_kernel) throw std::runtime_error(format("%s: assertion `%s` failed", place.c_str(), expression));
  const FindingKey key = {Kind::assertion, (uint64_t)(uintptr_t)file, line};
  if (!replaying && !known_finding(key)) {
    Finding* f = new_finding(key);
    f->at = {file, (int)line};
    f->message = format("%s: assertion `%s` failed (%s)", who().c_str(), expression, place.c_str());
  }
  abandon_launch(kAssertFailed);
}
}
