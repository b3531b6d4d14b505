// What other programs read from the simulator: counters, reports, the running kernel. Plain C, for ctypes and bindings.
#pragma once

#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

struct cudasim_counters {
  int64_t launches;       // kernels that ran, refused ones not counted
  int64_t threads;        // over all launches
  int64_t accesses;       // reads and writes of device memory the checker saw
  int64_t bytes_to_host;  // cudaMemcpy and symbols
  int64_t bytes_from_host;
  int64_t allocations;       // since the last reset
  int64_t live_allocations;  // now; a reset does not change these two
  int64_t live_bytes;
  int64_t faults, remarks;  // reports by severity
  int64_t bytes_on_device;  // cudaMemset, and copies from device memory to device memory
  int64_t resets;           // calls of the two functions that reset, since the start
};

void cudasim_read_counters(struct cudasim_counters* counters);
void cudasim_reset_counters(void);

// Different findings so far (the same finding by many threads counts once).
int64_t cudasim_report_count(void);
// One JSON object per line. The text stays valid until the next call.
const char* cudasim_reports_json(void);
// The same for people, one paragraph per finding.
const char* cudasim_reports_text(void);
// Coalescing and bank conflicts per line of source: one JSON object per line, only from checked launches.
const char* cudasim_access_patterns_json(void);
const char* cudasim_access_patterns_text(void);
// Forgets reports and access patterns and clears a sticky error; memory stays.
void cudasim_reset_reports(void);

// "name file:line" of the kernel that is running, "" when none is. May be called from a signal handler.
const char* cudasim_current_kernel(void);
int cudasim_checks_enabled(void);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
