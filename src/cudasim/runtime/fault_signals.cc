#ifdef __APPLE__
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE
#endif
#include "fault_signals.h"

#include <signal.h>
#include <ucontext.h>

#include <cstdlib>
#include <cstring>

#include "address_space.h"
#include "errors.h"
#include "findings.h"
#include "other_memory.h"
#include "replay.h"
#include "scheduler.h"
#include "text.h"

namespace cudasim {

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};
constexpr int kCaught = sizeof caught / sizeof *caught;
static struct sigaction previous[kCaught];
static stack_t previous_stack;

static struct {
  int signal = 0;
  uintptr_t address, instruction;
  const char* verb;
} fault;

static uintptr_t instruction_of(const ucontext_t* context) {
#if defined(__linux__) && defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__linux__) && defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.pc;
#elif defined(__APPLE__) && defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext->__ss.__pc;
#elif defined(__APPLE__) && defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext->__ss.__rip;
#else
  (void)context;
  return 0;
#endif
}

static const char* verb_of(const ucontext_t* context) {
#if defined(__linux__) && defined(__x86_64__)
  return context->uc_mcontext.gregs[REG_ERR] & 2 ? "writes" : "reads";
#else
  (void)context;
  return "uses";
#endif
}

static int error_of(int signal) { return signal == SIGSEGV || signal == SIGBUS ? kIllegalAddress : kLaunchFailure; }

static void on_signal(int signal, siginfo_t* info, void* context_pointer) {
  if (!in_kernel) {  // another thread of the process: its own handler's business
    for (int i = 0; i < kCaught; i++)
      if (caught[i] == signal) sigaction(signal, &previous[i], nullptr);
    return;
  }
  const ucontext_t* context = (const ucontext_t*)context_pointer;
  fault.signal = signal, fault.address = (uintptr_t)info->si_addr, fault.instruction = instruction_of(context);
  fault.verb = verb_of(context);
  abandon_launch(error_of(signal));
}

void catch_signals() {
  constexpr size_t kBytes = 64 * 1024;
  static void* memory = malloc(kBytes);
  stack_t stack = {};
  stack.ss_sp = memory, stack.ss_size = kBytes;
  sigaltstack(&stack, &previous_stack);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int i = 0; i < kCaught; i++) sigaction(caught[i], &action, &previous[i]);
}

void release_signals() {
  for (int i = 0; i < kCaught; i++) sigaction(caught[i], &previous[i], nullptr);
  if (!previous_stack.ss_sp) previous_stack.ss_flags = SS_DISABLE;
  sigaltstack(&previous_stack, nullptr);
}

static void report(Kind kind, const char* what) {
  const FindingKey key = {kind, fault.instruction};
  if (replaying || known_finding(key)) return;
  Finding* f = new_finding(key);
  f->at = line_of(fault.instruction + 1);
  f->message = format("%s %s%s", who().c_str(), what, f->at.known() ? (" (" + f->at.text() + ")").c_str() : "");
}

bool report_signal() {
  const int signal = fault.signal;
  fault.signal = 0;
  if (!signal) return false;
  if (signal == SIGFPE) {
    report(Kind::integer_division, "divides an integer by zero");
  } else if (signal == SIGABRT) {
    report(Kind::aborted, "calls abort()");
  } else if (signal == SIGILL) {
    report(Kind::trap, "runs an illegal instruction or a trap");
  } else if (is_stack_overflow(fault.address, block.stack_low)) {
    found_stack_overflow(fault.instruction + 1);
  } else {
    found_illegal_access(fault.address, 4, fault.verb, fault.instruction + 1);
  }
  return true;
}

}  // namespace cudasim
