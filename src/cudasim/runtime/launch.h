// The running launch: what the scheduler, the checker and the reports need to know of it. One at a time in a process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../include/cudasim/runtime.h"
#include "source_lines.h"

namespace cudasim {

struct Index3 {
  uint32_t x, y, z;
};

struct Launch {
  const cudasim_launch_request* request = nullptr;
  int threads = 0;                   // of a block
  Index3 block = {};                 // the one that runs
  std::vector<Index3> thread_index;  // threadIdx of each thread number
  std::vector<uint32_t> order;       // thread numbers in the order in which they run
  uint64_t blocks_run = 0;
  std::string last_text;  // "FillKernel (fill.cu:17)": these two outlive the launch
  SourceLine last_place;
};

extern Launch launch;
// A kernel is running on this OS thread: accesses by other threads of the process are the host's.
// Asked at every access: __thread and the initial-exec model make it one instruction instead of a call.
#ifdef __linux__
extern __thread bool in_kernel __attribute__((tls_model("initial-exec")));
#else
extern __thread bool in_kernel;
#endif

Index3 thread_index(unsigned thread);

// Ends the launch from inside one of its threads (or a signal handler of it): the device has failed with this error.
[[noreturn]] void abandon_launch(int error);

}  // namespace cudasim
