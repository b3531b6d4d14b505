// Guarded allocations of the grading build: a band of canaries before and after every array, and an unreadable page beyond.
//
// The linker sends every allocation of the graded module here (--wrap). Only what the child has announced is guarded:
// needle_guard_arm(n) before Array(n/4), needle_guard_disarm() after it, and in between whatever is as large as the array (its
// handle may be too, which does no harm). So an array type of the student's own is guarded as well, and scratch memory of a
// kernel costs nothing. The bands are read by the child and judged by the grader.
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>

#include "contract.h"

#define NEEDLE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr size_t kBandBytes = 4096;
constexpr uint32_t kCanary = 0x7FE5CAFE;  // wire.py's BAND_WORD
constexpr size_t kSlackBytes = 4096;      // an allocator may ask for this much more than an array needs
constexpr int kMostGuarded = 64;

struct Guarded {
  char* region;
  size_t region_bytes;
  char* payload;
};

std::mutex mutex;
Guarded guarded[kMostGuarded];
int live = 0;
bool armed = false;
size_t wanted_bytes = 0;

size_t page_bytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

// [no access] [band, one page] [payload, page-aligned] [band, at least kBandBytes] [no access]
void* guarded_allocation(size_t size) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (!armed || size < wanted_bytes || size > wanted_bytes + kSlackBytes || live == kMostGuarded) return nullptr;
  const size_t page = page_bytes();
  const size_t open_bytes = page + (size + kBandBytes + page - 1) / page * page;
  const size_t region_bytes = open_bytes + 2 * page;
  void* mapped = mmap(nullptr, region_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  char* region = static_cast<char*>(mapped);
  if (mprotect(region + page, open_bytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(region, region_bytes);
    return nullptr;
  }
  char* payload = region + 2 * page;
  for (char* word = payload - kBandBytes; word < payload; word += 4) memcpy(word, &kCanary, 4);
  for (char* word = payload + wanted_bytes; word + 4 <= region + page + open_bytes; word += 4) memcpy(word, &kCanary, 4);
  guarded[live++] = {region, region_bytes, payload};
  return payload;
}

// True when the pointer was guarded and is released now.
bool release_guarded(void* pointer) {
  if (live == 0 || pointer == nullptr) return false;
  const std::lock_guard<std::mutex> lock(mutex);
  for (int i = 0; i < live; i++) {
    if (guarded[i].payload != pointer) continue;
    munmap(guarded[i].region, guarded[i].region_bytes);
    guarded[i] = guarded[--live];
    return true;
  }
  return false;
}

}  // namespace

NEEDLE_EXPORT void needle_guard_arm(size_t size_bytes) {
  const std::lock_guard<std::mutex> lock(mutex);
  armed = size_bytes > 0;
  wanted_bytes = size_bytes;
}

NEEDLE_EXPORT void needle_guard_disarm() {
  const std::lock_guard<std::mutex> lock(mutex);
  armed = false;
}

NEEDLE_EXPORT int needle_guard_holds(const void* pointer) {
  const std::lock_guard<std::mutex> lock(mutex);
  for (int i = 0; i < live; i++)
    if (guarded[i].payload == pointer) return 1;
  return 0;
}

// Copies may find the error of an earlier kernel. The caller is no C++, so an exception goes no further than here: what it
// says is returned, and a null pointer when all is well.
template <typename Copy>
static const char* told(Copy copy) {
  static char text[512];
  try {
    copy();
  } catch (const std::exception& error) {
    snprintf(text, sizeof text, "%s", error.what());
    return text;
  }
  return nullptr;
}

NEEDLE_EXPORT const char* needle_write(float* device, const float* host, size_t size_bytes) {
  return told([&] { needle::copy_from_host(device, host, size_bytes); });
}

NEEDLE_EXPORT const char* needle_read(float* host, const float* device, size_t size_bytes) {
  return told([&] { needle::copy_to_host(host, device, size_bytes); });
}

#ifdef __linux__  // other linkers have no --wrap: there the child finds no bands, and the grader expects none
// The wrapped allocators: __real_x is the system's x.
#define NEEDLE_WRAP(result, name, parameters, arguments, size)                     \
  extern "C" result __real_##name parameters;                                      \
  extern "C" result __wrap_##name parameters {                                     \
    if (armed)                                                                     \
      if (void* guard = guarded_allocation(size)) return static_cast<result>(guard); \
    return __real_##name arguments;                                                \
  }
NEEDLE_WRAP(void*, malloc, (size_t size), (size), size)
NEEDLE_WRAP(void*, aligned_alloc, (size_t alignment, size_t size), (alignment, size), size)
NEEDLE_WRAP(void*, _Znwm, (size_t size), (size), size)                                    // new
NEEDLE_WRAP(void*, _Znam, (size_t size), (size), size)                                    // new[]
NEEDLE_WRAP(void*, _ZnwmSt11align_val_t, (size_t size, size_t align), (size, align), size)  // aligned new
NEEDLE_WRAP(void*, _ZnamSt11align_val_t, (size_t size, size_t align), (size, align), size)
#undef NEEDLE_WRAP

extern "C" int __real_posix_memalign(void** out, size_t alignment, size_t size);
extern "C" int __wrap_posix_memalign(void** out, size_t alignment, size_t size) {
  if (armed)
    if (void* guard = guarded_allocation(size)) {
      *out = guard;
      return 0;
    }
  return __real_posix_memalign(out, alignment, size);
}

#define NEEDLE_WRAP_FREE(name, parameters, arguments)          \
  extern "C" void __real_##name parameters;                    \
  extern "C" void __wrap_##name parameters {                   \
    if (!release_guarded(pointer)) __real_##name arguments;    \
  }
NEEDLE_WRAP_FREE(free, (void* pointer), (pointer))
NEEDLE_WRAP_FREE(_ZdlPv, (void* pointer), (pointer))
NEEDLE_WRAP_FREE(_ZdaPv, (void* pointer), (pointer))
NEEDLE_WRAP_FREE(_ZdlPvm, (void* pointer, size_t size), (pointer, size))
NEEDLE_WRAP_FREE(_ZdaPvm, (void* pointer, size_t size), (pointer, size))
NEEDLE_WRAP_FREE(_ZdlPvSt11align_val_t, (void* pointer, size_t align), (pointer, align))
NEEDLE_WRAP_FREE(_ZdaPvSt11align_val_t, (void* pointer, size_t align), (pointer, align))
NEEDLE_WRAP_FREE(_ZdlPvmSt11align_val_t, (void* pointer, size_t size, size_t align), (pointer, size, align))
#undef NEEDLE_WRAP_FREE
#endif  // __linux__
