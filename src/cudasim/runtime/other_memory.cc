// Accesses of a kernel to memory that is neither the device's arena, nor shared memory, nor the thread's own stack; and
// the host's accesses to device memory.
#include "other_memory.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include "allocations.h"
#include "builtin_indexes.h"
#include "checker.h"
#include "describe.h"
#include "device_variables.h"
#include "errors.h"
#include "sites.h"
#include "text.h"

namespace cudasim {

bool is_mapped(uintptr_t address) {
  return msync((void*)(address & ~(uintptr_t)4095), 1, MS_ASYNC) == 0;  // fails with ENOMEM where nothing is mapped
}

Kind kind_of_illegal_address(uintptr_t address) {
  if (space.in_arena(address)) {
    const Allocation* a = nearest_allocation(address);
    return a && a->freed ? Kind::use_after_free : Kind::out_of_bounds;
  }
  if (space.in_shared(address)) return Kind::out_of_bounds;
  if (address < 65536) return Kind::null_pointer;
  return is_mapped(address) ? Kind::host_pointer : Kind::out_of_bounds;
}

void found_illegal_access(uintptr_t address, unsigned bytes, const char* verb, uintptr_t caller) {
  const FindingKey key = {kind_of_illegal_address(address), caller};
  if (replaying) return note_fault_in_replay();
  if (known_finding(key)) return;
  const Description d = describe(address, bytes);
  Finding* f = new_finding(key);
  f->array = d.array, f->index = d.index;
  f->at = users_line(call_chain(caller));
  f->message = format("%s %s %s (%s)%s%s", who().c_str(), verb, d.element.c_str(), f->at.text().c_str(),
                      d.extent.empty() ? "" : "; ", d.extent.c_str());
}

void found_stack_overflow(uintptr_t caller) {
  const FindingKey key = {Kind::stack_overflow, caller};
  if (replaying || known_finding(key)) return;
  Finding* f = new_finding(key);
  f->at = users_line(call_chain(caller));
  f->message = format("%s needs more than %zu KB for its local variables (%s)", who().c_str(), kStackBytes >> 10,
                      f->at.text().c_str());
}

void found_misaligned(uintptr_t address, unsigned bytes, uintptr_t caller) {
  const FindingKey key = {Kind::misaligned, caller};
  if (replaying || known_finding(key)) return;
  const Description d = describe(address, bytes);
  Finding* f = new_finding(key);
  f->array = d.array, f->index = d.index;
  f->at = users_line(call_chain(caller));
  f->message = format("%s uses %u bytes at once at %s (%s), an address that is no multiple of %u", who().c_str(), bytes,
                      d.element.c_str(), f->at.text().c_str(), bytes);
}

static void check_variable(DeviceVariable& v, uintptr_t address, unsigned bytes, bool is_write, bool atomic,
                           uintptr_t caller) {
  const uintptr_t base = v.begin & ~(uintptr_t)3;
  if (v.cells.empty()) {
    v.cells.resize((v.begin + v.bytes - base) / 4 + 2);
    v.states.assign(v.cells.size(), kLive | kInitialised);  // static storage begins as zero
  }
  if (is_write && v.space == VariableSpace::constant) {
    const FindingKey key = {Kind::constant_write, caller};
    if (replaying || known_finding(key)) return;
    Finding* f = new_finding(key);
    const Description d = describe(address, bytes);
    f->array = d.array, f->index = d.index, f->at = users_line(call_chain(caller));
    f->message = format("%s writes __constant__ %s (%s)", who().c_str(), d.element.c_str(), f->at.text().c_str());
    return;
  }
  if (address + bytes > v.begin + v.bytes)
    return found_out_of_bounds(0, is_write, sites.number_of(caller), address, bytes);
  checker.accesses++;
  check<false>(v.cells.data(), v.states.data(), base, address, bytes, is_write, atomic, sites.number_of(caller));
}

static void found_foreign_stack(uintptr_t caller, bool is_write) {
  const FindingKey key = {Kind::local_memory, caller};
  if (replaying || known_finding(key)) return;
  Finding* f = new_finding(key);
  f->at = users_line(call_chain(caller));
  f->message = format("%s %s a local variable of another thread (%s)", who().c_str(), is_write ? "writes" : "reads",
                      f->at.text().c_str());
}

// Constants, string literals and tables of a loaded module; a kernel may read them, as nvcc puts them on the device.
static bool is_in_module(uintptr_t address) {
  Dl_info info;
  return address > 4096 && dladdr((void*)address, &info) && info.dli_fbase;
}

void check_elsewhere(uintptr_t address, unsigned bytes, bool is_write, bool atomic, uintptr_t caller) {
  const uintptr_t arguments = (uintptr_t)launch.request->arguments;
  if (address - arguments < launch.request->arguments_bytes || is_builtin_index(address)) return;
  if (DeviceVariable* v = device_variable_at(address))
    return check_variable(*v, address, bytes, is_write, atomic, caller);
  if (is_stack_overflow(address, block.stack_low)) {
    found_stack_overflow(caller);
    abandon_launch(kIllegalAddress);
  }
  if (device_variable_beside(address)) return found_out_of_bounds(0, is_write, sites.number_of(caller), address, bytes);
  if (!is_write && is_in_module(address)) return;
  if (is_fiber_stack(address)) return found_foreign_stack(caller, is_write);
  found_illegal_access(address, bytes, is_write ? "writes" : "reads", caller);
  abandon_launch(kIllegalAddress);
}

void check_host_access(uintptr_t address, unsigned bytes, bool is_write, uintptr_t caller) {
  if (space.arena_states[(address - space.arena) >> 2] & kManaged) {
    if (is_write) space.arena_states[(address - space.arena) >> 2] |= kInitialised;
    return;
  }
  const FindingKey key = {Kind::device_pointer_on_host, caller};
  if (known_finding(key)) return;
  const Description d = describe(address, bytes);
  Finding* f = new_finding(key);
  f->array = d.array, f->index = d.index, f->at = users_line({caller});
  f->message = format("host code %s device memory, %s (%s)", is_write ? "writes" : "reads", d.element.c_str(),
                      f->at.text().c_str());
  publish_findings();
}

}  // namespace cudasim
