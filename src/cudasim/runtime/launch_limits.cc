#include "launch_limits.h"

#include <string>

#include "errors.h"
#include "findings.h"
#include "settings.h"
#include "shared_memory.h"
#include "text.h"

namespace cudasim {

static std::string launch_text(const cudasim_launch_request& r) {
  std::string bytes = r.dynamic_shared_bytes ? "," + std::to_string(r.dynamic_shared_bytes) : "";
  return format("%s<<<(%u,%u,%u),(%u,%u,%u)%s>>> (%s:%d)", r.kernel, r.grid[0], r.grid[1], r.grid[2], r.block[0],
                r.block[1], r.block[2], bytes.c_str(), base_name(r.file).c_str(), r.line);
}

// Why the hardware refuses this configuration; empty if it does not.
static std::string refusal(const cudasim_launch_request& r) {
  const uint64_t threads = (uint64_t)r.block[0] * r.block[1] * r.block[2];
  if (!threads) return "a block of no threads";
  if (!r.grid[0] || !r.grid[1] || !r.grid[2]) return "a grid of no blocks";
  if (r.block[0] > 1024 || r.block[1] > 1024 || threads > 1024)
    return format("%llu threads in a block; the limit is 1024", (unsigned long long)threads);
  if (r.block[2] > 64) return format("blockDim.z is %u; the limit is 64", r.block[2]);
  if (r.grid[0] > 0x7fffffffu) return format("gridDim.x is %u; the limit is 2147483647", r.grid[0]);
  if (r.grid[1] > 65535 || r.grid[2] > 65535)
    return format("gridDim.y and z are %u and %u; the limit is 65535", r.grid[1], r.grid[2]);
  const size_t limit = allowed_dynamic_shared(r.function);
  if (r.dynamic_shared_bytes > limit)
    return format("%zu bytes of dynamic shared memory; the limit is %zu", r.dynamic_shared_bytes, limit);
  return "";
}

static void refuse(const cudasim_launch_request& r, Kind kind, const std::string& why) {
  const FindingKey key = {kind, (uint64_t)(uintptr_t)r.file, (uint64_t)r.line};
  if (known_finding(key)) return;
  Finding* f = new_finding(key);
  f->at = {r.file, r.line};
  f->message = format("%s did not run: %s", launch_text(r).c_str(), why.c_str());
}

bool launch_is_possible(const cudasim_launch_request& r) {
  const std::string why = refusal(r);
  if (!why.empty()) {
    refuse(r, Kind::bad_launch, why);
    set_error(kInvalidConfiguration);
    return false;
  }
  const double threads = (double)r.block[0] * r.block[1] * r.block[2] * r.grid[0] * r.grid[1] * r.grid[2];
  if (threads > (double)settings().max_threads) {
    refuse(r, Kind::thread_budget,
           format("%.0f threads; the simulator runs at most %llu in a launch", threads,
                  (unsigned long long)settings().max_threads));
    set_error(kLaunchTimeout);
    return false;
  }
  return true;
}

}  // namespace cudasim
