// What the compiler calls at every access of a checked module (-fsanitize=thread): the names are the sanitizer's, the
// meaning is ours. Also the copies and prints that it does not instrument (linked with --wrap, see flags.json).
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "access_patterns.h"
#include "address_space.h"
#include "block_history.h"
#include "checker.h"
#include "sites.h"

namespace cudasim {

static __attribute__((noinline)) void extra_work(unsigned site, uintptr_t address, unsigned bytes, bool shared,
                                                 bool is_write) {
  if (replaying)
    count_replayed_access();
  else
    count_access(site, address, bytes, shared, is_write);
}

static inline void on_access(uintptr_t address, unsigned bytes, bool is_write, bool atomic, uintptr_t caller) {
  if (__builtin_expect(checker.pending.bytes != 0, 0) && !begins_compare_and_swap(address, atomic))
    settle_pending_access_now();
  if (__builtin_expect(!in_kernel, 0)) {
    if (__builtin_expect(space.in_arena(address), 0)) check_host_access(address, bytes, is_write, caller);
    return;
  }
  const bool shared = space.in_shared(address);
  if (__builtin_expect(shared || space.in_arena(address), 1)) {
    const unsigned site = sites.number_of(caller);
    checker.accesses++;
    if (shared)
      check<true>(space.shared_cells, space.shared_states, space.shared, address, bytes, is_write, atomic, site);
    else
      check<false>(space.arena_cells, space.arena_states, space.arena, address, bytes, is_write, atomic, site);
    if (__builtin_expect(patterns_on || replaying, 0)) extra_work(site, address, bytes, shared, is_write);
    return;
  }
  if (__builtin_expect(address - block.stack_low < kStackBytes, 1)) return;
  check_elsewhere(address, bytes, is_write, atomic, caller);
}

void found_misaligned(uintptr_t address, unsigned bytes, uintptr_t caller);

// An access through a type whose alignment the address does not have: an error on a GPU, silent on the host.
static inline void on_aligned_access(uintptr_t address, unsigned bytes, bool is_write, uintptr_t caller) {
  if (__builtin_expect(address & (bytes - 1), 0) && in_kernel && (space.in_arena(address) || space.in_shared(address)))
    found_misaligned(address, bytes, caller);
  on_access(address, bytes, is_write, false, caller);
}

}  // namespace cudasim

using namespace cudasim;

#define CALLER ((uintptr_t)__builtin_return_address(0))
#define EXPORTED __attribute__((visibility("default")))

// At volatile accesses the threads of a block take turns: code that relies on warps in lockstep then computes what it
// would have on old hardware (and the race is reported all the same).
#define HOOKS(BYTES)                                                                                            \
  EXPORTED void __tsan_read##BYTES(void* a) { on_aligned_access((uintptr_t)a, BYTES, false, CALLER); }          \
  EXPORTED void __tsan_write##BYTES(void* a) { on_aligned_access((uintptr_t)a, BYTES, true, CALLER); }          \
  EXPORTED void __tsan_unaligned_read##BYTES(void* a) { on_access((uintptr_t)a, BYTES, false, false, CALLER); } \
  EXPORTED void __tsan_unaligned_write##BYTES(void* a) { on_access((uintptr_t)a, BYTES, true, false, CALLER); } \
  EXPORTED void __tsan_read_write##BYTES(void* a) {                                                             \
    on_aligned_access((uintptr_t)a, BYTES, false, CALLER);                                                      \
    on_access((uintptr_t)a, BYTES, true, false, CALLER);                                                        \
  }                                                                                                             \
  EXPORTED void __tsan_unaligned_read_write##BYTES(void* a) {                                                   \
    on_access((uintptr_t)a, BYTES, false, false, CALLER);                                                       \
    on_access((uintptr_t)a, BYTES, true, false, CALLER);                                                        \
  }                                                                                                             \
  EXPORTED void __tsan_volatile_read##BYTES(void* a) {                                                          \
    on_access((uintptr_t)a, BYTES, false, false, CALLER);                                                       \
    if (in_kernel) let_others_run();                                                                            \
  }                                                                                                             \
  EXPORTED void __tsan_volatile_write##BYTES(void* a) {                                                         \
    on_access((uintptr_t)a, BYTES, true, false, CALLER);                                                        \
    if (in_kernel) let_others_run();                                                                            \
  }                                                                                                             \
  EXPORTED void __tsan_unaligned_volatile_read##BYTES(void* a) { __tsan_volatile_read##BYTES(a); }              \
  EXPORTED void __tsan_unaligned_volatile_write##BYTES(void* a) { __tsan_volatile_write##BYTES(a); }

static void on_range(const void* begin, size_t bytes, bool is_write, uintptr_t caller) {
  constexpr size_t kStep = 16;
  for (size_t done = 0; done < bytes; done += kStep)
    on_access((uintptr_t)begin + done, (unsigned)(bytes - done < kStep ? bytes - done : kStep), is_write, false,
              caller);
}

#define COPY_HOOKS(PREFIX)                                                   \
  EXPORTED void* PREFIX##memcpy(void* to, const void* from, size_t bytes) {  \
    on_range(from, bytes, false, CALLER), on_range(to, bytes, true, CALLER); \
    return memcpy(to, from, bytes);                                          \
  }                                                                          \
  EXPORTED void* PREFIX##memmove(void* to, const void* from, size_t bytes) { \
    on_range(from, bytes, false, CALLER), on_range(to, bytes, true, CALLER); \
    return memmove(to, from, bytes);                                         \
  }                                                                          \
  EXPORTED void* PREFIX##memset(void* to, int value, size_t bytes) {         \
    on_range(to, bytes, true, CALLER);                                       \
    return memset(to, value, bytes);                                         \
  }

extern "C" {
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
EXPORTED void __tsan_read_range(void* a, size_t bytes) { on_range(a, bytes, false, CALLER); }
EXPORTED void __tsan_write_range(void* a, size_t bytes) { on_range(a, bytes, true, CALLER); }
EXPORTED void __tsan_init() {}
EXPORTED void __tsan_func_entry(void*) {}
EXPORTED void __tsan_func_exit() {}
EXPORTED void __tsan_vptr_update(void**, void*) {}
EXPORTED void __tsan_vptr_read(void**) {}
EXPORTED void __tsan_ignore_thread_begin() {}
EXPORTED void __tsan_ignore_thread_end() {}
COPY_HOOKS(__tsan_)
COPY_HOOKS(__wrap_)

EXPORTED void cudasim_check_access(const void* address, size_t bytes, int is_write, int is_atomic, void* caller) {
  if (is_atomic && in_kernel) note_atomic();
  on_access((uintptr_t)address, (unsigned)bytes, is_write != 0, is_atomic != 0, (uintptr_t)caller);
}

EXPORTED int __wrap_vprintf(const char* pattern, va_list arguments) {
  return replaying ? 0 : vprintf(pattern, arguments);
}
EXPORTED int __wrap_printf(const char* pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  const int result = __wrap_vprintf(pattern, arguments);
  va_end(arguments);
  return result;
}
EXPORTED int __wrap_puts(const char* text) { return replaying ? 0 : puts(text); }
EXPORTED int __wrap_putchar(int c) { return replaying ? c : putchar(c); }
}
