#ifdef __APPLE__
#define _XOPEN_SOURCE 700  // ucontext
#define _DARWIN_C_SOURCE
#endif
#include "fiber.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "address_space.h"
#include "settings.h"

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

namespace cudasim {

#ifdef CUDASIM_HAS_ASSEMBLY_SWITCH
// Saves what the System V ABI says a call preserves; the floating-point modes are the same for all fibers.
asm(R"(
.text
.globl cudasim_switch_stacks
.hidden cudasim_switch_stacks
.type cudasim_switch_stacks,@function
cudasim_switch_stacks:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size cudasim_switch_stacks, .-cudasim_switch_stacks
)");
bool use_assembly_switch = true;
#else
bool use_assembly_switch = false;
#endif

static std::vector<Fiber*> pool, all;

static Fiber* make_fiber() {
  if (settings().portable_switch) use_assembly_switch = false;
  const size_t bytes = kStackBytes + kGuardBytes;
  void* begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) {
    fprintf(stderr, "cudasim: no memory for the stack of one more thread (%zu KB each); raise the limit (ulimit -v)\n",
            bytes >> 10);
    abort();
  }
  mprotect(begin, kGuardBytes, PROT_NONE);
  Fiber* fiber = new Fiber;
  fiber->stack_low = (uintptr_t)begin + kGuardBytes;
  fiber->context.ucontext = use_assembly_switch ? nullptr : new ucontext_t;
  all.push_back(fiber);
  return fiber;
}

// Equal offsets in all stacks would fall into the same few lines of the L1 cache.
static size_t stagger_bytes(const Fiber* fiber) { return (fiber->stack_low / kPageBytes % 31) * 128; }

Fiber* take_fiber(void (*entry)()) {
  Fiber* fiber;
  if (pool.empty()) {
    fiber = make_fiber();
  } else {
    fiber = pool.back();
    pool.pop_back();
  }
  const uintptr_t top = fiber->stack_low + kStackBytes - stagger_bytes(fiber);
  if (use_assembly_switch) {
    void** stack = (void**)top;
    *--stack = nullptr;  // at entry rsp is 8 modulo 16, as after a call
    *--stack = (void*)entry;
    for (int saved = 0; saved < 6; saved++) *--stack = nullptr;
    fiber->context.stack_pointer = stack;
  } else {
    ucontext_t* context = (ucontext_t*)fiber->context.ucontext;
    getcontext(context);
    context->uc_stack.ss_sp = (void*)fiber->stack_low;
    context->uc_stack.ss_size = top - fiber->stack_low;
    context->uc_link = nullptr;
    makecontext(context, entry, 0);
  }
  return fiber;
}

void give_back_fiber(Fiber* fiber) { pool.push_back(fiber); }

void give_back_all_fibers() { pool = all; }

bool is_fiber_stack(uintptr_t address) {
  for (const Fiber* fiber : all)
    if (address - fiber->stack_low < kStackBytes) return true;
  return false;
}

void switch_ucontext(Context& from, Context& to) {
  if (!from.ucontext) from.ucontext = new ucontext_t;  // the scheduler's own, once
  swapcontext((ucontext_t*)from.ucontext, (ucontext_t*)to.ucontext);
}

}  // namespace cudasim
