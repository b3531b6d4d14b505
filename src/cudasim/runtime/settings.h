// What the environment may set. Read once, at first use.
#pragma once

#include <cstdint>

namespace cudasim {

struct Settings {
  uint64_t seed = 0;                     // CUDASIM_SEED: permutes warps and threads of a block; 0 keeps them in order
  uint64_t max_threads = 1000000000ull;  // CUDASIM_MAX_THREADS: a launch above this is refused with a message
  bool quiet = false;                    // CUDASIM_QUIET: findings are recorded but not printed on stderr
  const char* record = nullptr;  // CUDASIM_RECORD: file (or number of an open descriptor) that gets the JSON lines
  const char* current_kernel_file =
      nullptr;                   // CUDASIM_CURRENT_KERNEL: file that always holds the running kernel's name
  bool portable_switch = false;  // CUDASIM_SWITCH=ucontext
  int pattern_blocks = 4;        // CUDASIM_PATTERN_BLOCKS: blocks of a launch whose access patterns are counted
  bool print_patterns = false;   // CUDASIM_PATTERNS=1: print them at exit
  bool replay = true;            // CUDASIM_REPLAY=0: do not rerun a launch to see whether unwritten data mattered
};

const Settings& settings();

}  // namespace cudasim
