#include "shared_memory.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "address_space.h"
#include "checker.h"
#include "errors.h"
#include "findings.h"
#include "text.h"

uint64_t cudasim_launch_number = 0;  // declared extern "C" in runtime.h

namespace cudasim {

struct Range {
  uintptr_t begin;
  size_t bytes;
};
static std::vector<Range> placed;          // declarations of this launch; the first range is the dynamic one
static std::vector<SharedVariable> names;  // their variables
static SharedVariable dynamic;
static uintptr_t next_address;
static size_t static_bytes;
static std::unordered_map<const void*, size_t> raised_limits;

static void set_states(const Range& range, uint8_t state) {
  memset(space.shared_states + ((range.begin - space.shared) >> 2), state, (range.bytes + 3) / 4);
}

static void make_unwritten(const Range& range) {
  if (!range.bytes) return;
  const uint32_t poison = poison_word();
  uint32_t* words = (uint32_t*)range.begin;
  std::fill(words, words + (range.bytes + 3) / 4, poison);
  if (launch.request->checked) set_states(range, kLive);
}

void begin_launch_shared(size_t dynamic_bytes) {
  if (checker.enabled)
    for (const Range& range : placed) set_states(range, 0);
  cudasim_launch_number++;
  placed.assign(1, {space.shared, dynamic_bytes});
  names.clear();
  dynamic = {"", space.shared, dynamic_bytes, 1, 1, {0, 0, 0}};
  next_address = (space.shared + dynamic_bytes + kSharedRedZoneBytes + 255) & ~(uintptr_t)255;
  static_bytes = 0;
}

void begin_block_shared() {
  for (const Range& range : placed) make_unwritten(range);
}

const SharedVariable* shared_variable_near(uintptr_t address) {
  const SharedVariable* best = nullptr;
  uintptr_t best_distance = 0;
  for (const SharedVariable& v : names) {
    if (address >= v.begin && address < v.begin + v.bytes) return &v;
    const uintptr_t distance = address < v.begin ? v.begin - address : address - (v.begin + v.bytes) + 1;
    if (!best || distance < best_distance) best = &v, best_distance = distance;
  }
  return best;
}

const SharedVariable* dynamic_shared_variable() { return dynamic.name.empty() ? nullptr : &dynamic; }

size_t allowed_dynamic_shared(const void* function) {
  // A generic kernel's function is not known: then the largest limit that was set for any.
  size_t limit = kStaticSharedLimit;
  for (auto& entry : raised_limits)
    if (!function || entry.first == function) limit = std::max(limit, entry.second);
  return limit;
}

static void refuse_static_shared(const char* why) {
  const FindingKey key = {Kind::shared_too_large};
  if (!known_finding(key)) {
    Finding* f = new_finding(key);
    f->message = format("%s: %s", launch.request->kernel, why);
  }
  abandon_launch(kInvalidConfiguration);
}

static void* place(cudasim_shared_slot* slot, size_t bytes, size_t alignment) {
  alignment = std::max<size_t>(alignment, 16);
  const uintptr_t begin = (next_address + alignment - 1) & ~(uintptr_t)(alignment - 1);
  static_bytes += bytes;
  if (static_bytes > kStaticSharedLimit || begin + bytes + kSharedRedZoneBytes > space.shared + kSharedArenaBytes)
    refuse_static_shared(
        format("%zu bytes of __shared__ declarations; a block has %zu", static_bytes, kStaticSharedLimit).c_str());
  next_address = begin + bytes + kSharedRedZoneBytes;
  placed.push_back({begin, bytes});
  make_unwritten(placed.back());
  *slot = {cudasim_launch_number, (void*)begin};
  return (void*)begin;
}

}  // namespace cudasim

using namespace cudasim;

extern "C" {

void* cudasim_place_shared(cudasim_shared_slot* slot, size_t bytes, size_t alignment) {
  return place(slot, bytes, alignment);
}

void cudasim_name_shared(const void* address, const char* name, size_t bytes, size_t element_bytes, int rank,
                         const size_t* extents) {
  names.push_back({name, (uintptr_t)address, bytes, element_bytes, rank, {extents[0], extents[1], extents[2]}});
}

void* cudasim_dynamic_shared(const char* name, size_t element_bytes) {
  reserve_device();
  if (in_kernel && dynamic.name.empty()) dynamic.name = name, dynamic.element_bytes = element_bytes;
  return (void*)space.shared;
}

int cudasim_allow_dynamic_shared(const void* function, int bytes) {
  if (bytes < 0 || (size_t)bytes > kDynamicSharedLimit) return set_error(kInvalidValue);
  raised_limits[function] = (size_t)bytes;
  return kSuccess;
}
}
