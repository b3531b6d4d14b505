#include "settings.h"

#include <cstdlib>
#include <cstring>

namespace cudasim {

static bool is_set(const char* name) {
  const char* text = getenv(name);
  return text && *text && strcmp(text, "0") != 0;
}

static uint64_t number(const char* name, uint64_t otherwise) {
  const char* text = getenv(name);
  return text && *text ? strtoull(text, nullptr, 10) : otherwise;
}

static Settings read_environment() {
  Settings s;
  s.seed = number("CUDASIM_SEED", s.seed);
  s.max_threads = number("CUDASIM_MAX_THREADS", s.max_threads);
  s.quiet = is_set("CUDASIM_QUIET");
  s.record = getenv("CUDASIM_RECORD");
  s.current_kernel_file = getenv("CUDASIM_CURRENT_KERNEL");
  const char* way = getenv("CUDASIM_SWITCH");
  s.portable_switch = way && strcmp(way, "ucontext") == 0;
  s.pattern_blocks = (int)number("CUDASIM_PATTERN_BLOCKS", (uint64_t)s.pattern_blocks);
  s.print_patterns = is_set("CUDASIM_PATTERNS");
  s.replay = number("CUDASIM_REPLAY", 1) != 0;
  return s;
}

const Settings& settings() {
  static const Settings read = read_environment();
  return read;
}

}  // namespace cudasim
