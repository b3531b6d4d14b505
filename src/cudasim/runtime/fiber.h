// Fibers: stacks between which one OS thread switches. Two ways to switch: x86-64 assembly, and ucontext anywhere else
// (or with CUDASIM_SWITCH=ucontext).
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudasim {

constexpr size_t kStackBytes = 128 * 1024;
constexpr size_t kGuardBytes = 512 * 1024;  // CUDA's limit of local memory: no frame jumps over it

struct Fiber;

// A point of execution that was left and can be entered again.
struct Context {
  void* stack_pointer = nullptr;  // assembly
  void* ucontext = nullptr;       // portable
};

struct Fiber {
  Context context;
  uintptr_t stack_low;  // kGuardBytes below it are a guard
};

// A fiber that, when first switched to, runs `entry` (which never returns).
Fiber* take_fiber(void (*entry)());
// Back into the pool. The caller may still stand on it, until it switches away.
void give_back_fiber(Fiber* fiber);
void give_back_all_fibers();  // after an abandoned launch
bool is_fiber_stack(uintptr_t address);
inline bool is_stack_overflow(uintptr_t address, uintptr_t stack_low) { return stack_low - address - 1 < kGuardBytes; }

#if defined(__x86_64__) && defined(__linux__)
#define CUDASIM_HAS_ASSEMBLY_SWITCH 1
extern "C" void cudasim_switch_stacks(void** save, void* load) __attribute__((visibility("hidden")));
#endif
extern bool use_assembly_switch;
void switch_ucontext(Context& from, Context& to);

inline void switch_context(Context& from, Context& to) {
#ifdef CUDASIM_HAS_ASSEMBLY_SWITCH
  if (__builtin_expect(use_assembly_switch, 1)) return cudasim_switch_stacks(&from.stack_pointer, to.stack_pointer);
#endif
  switch_ucontext(from, to);
}

}  // namespace cudasim
