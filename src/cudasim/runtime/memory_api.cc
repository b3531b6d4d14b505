// cudaMalloc, cudaFree, cudaMemcpy, cudaMemset and the symbol copies.
#include <algorithm>
#include <cstring>

#include "address_space.h"
#include "allocations.h"
#include "checker.h"
#include "counters.h"
#include "describe.h"
#include "device_variables.h"
#include "errors.h"
#include "findings.h"
#include "text.h"

namespace cudasim {

enum CopyKind { kHostToHost, kHostToDevice, kDeviceToHost, kDeviceToDevice, kDefault };

static bool is_device(const void* pointer) {
  return space.in_arena((uintptr_t)pointer) || device_variable_at((uintptr_t)pointer);
}

static Finding* host_finding(Kind kind, void* caller, uint64_t detail = 0) {
  const FindingKey key = {kind, (uint64_t)(uintptr_t)caller, detail};
  if (known_finding(key)) return nullptr;
  Finding* f = new_finding(key);
  f->at = users_line({(uintptr_t)caller});
  return f;
}

static bool is_live_range(const void* pointer, size_t bytes) {
  const uintptr_t begin = (uintptr_t)pointer;
  if (const DeviceVariable* v = device_variable_at(begin)) return begin + bytes <= v->begin + v->bytes;
  const Allocation* a = allocation_at(begin);
  return a && !a->freed && begin + bytes <= a->begin + a->bytes;
}

static int refuse_range(const char* call, const void* pointer, size_t bytes, void* caller) {
  if (Finding* f = host_finding(Kind::bad_copy, caller, 1)) {
    const Description d = describe((uintptr_t)pointer, 4);
    f->array = d.array, f->index = d.index;
    f->message = format("%s of %zu bytes (%s) begins at %s and passes the end of live device memory; %s", call, bytes,
                        f->at.text().c_str(), d.element.c_str(), d.extent.c_str());
    publish_findings();
  }
  return set_error(kInvalidValue);
}

static int refuse_direction(const void* destination, const void* source, int kind, void* caller) {
  static const char* const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                                      "cudaMemcpyDeviceToDevice"};
  if (Finding* f = host_finding(Kind::bad_copy, caller, 2)) {
    f->message = format("cudaMemcpy (%s) says %s, but its destination is %s memory and its source is %s memory",
                        f->at.text().c_str(), names[kind], is_device(destination) ? "device" : "host",
                        is_device(source) ? "device" : "host");
    publish_findings();
  }
  return set_error(kInvalidValue);
}

static uint8_t* states_of(const void* pointer) {
  return space.arena_states + (((uintptr_t)pointer - space.arena) >> 2);
}

// Does the result that goes to the host contain elements that nothing has written?
static void check_written(const void* source, size_t bytes, void* caller) {
  const uint8_t* states = states_of(source);
  size_t missing = 0, first = 0;
  const size_t words = bytes / 4;
  for (size_t i = 0; i < words; i++)
    if ((states[i] & kInitialised) != kInitialised && missing++ == 0) first = i;
  if (!missing) return;
  const Allocation* a = allocation_at((uintptr_t)source);
  if (Finding* f = host_finding(Kind::unwritten_result, caller, (uint64_t)a->number)) {
    f->array = format("allocation #%d", a->number), f->index = (int64_t)first;
    const std::string copied_at = f->at.text();
    if (launch.last_place.known()) f->other = f->at, f->at = launch.last_place;  // the launch is what has to change
    f->message =
        format("%zu of %zu elements copied to the host (%s) were never written, first element %zu; last launch: %s",
               missing, words, copied_at.c_str(), first, launch.last_text.empty() ? "none" : launch.last_text.c_str());
    publish_findings();
  }
}

static void copy_states(void* destination, const void* source, size_t bytes) {
  if (!space.arena_states || !space.in_arena((uintptr_t)destination)) return;
  uint8_t* to = states_of(destination);
  const bool known = space.in_arena((uintptr_t)source) && ((uintptr_t)source & 3) == ((uintptr_t)destination & 3);
  const uint8_t* from = known ? states_of(source) : nullptr;
  const size_t words = (((uintptr_t)destination & 3) + bytes + 3) / 4;
  for (size_t i = 0; i < words; i++)
    to[i] = (uint8_t)((to[i] & ~kInitialised) | (from ? from[i] & kInitialised : kInitialised));
}

static int copy(void* destination, const void* source, size_t bytes, int kind, void* caller) {
  if (const int error = take_sticky_error()) return error;
  if (kind < kHostToHost || kind > kDefault) return set_error(kInvalidDirection);
  if (!bytes) return kSuccess;
  const bool to_device = is_device(destination), from_device = is_device(source);
  if (kind != kDefault && (to_device != (kind == kHostToDevice || kind == kDeviceToDevice) ||
                           from_device != (kind == kDeviceToHost || kind == kDeviceToDevice))) {
    const Allocation* a = allocation_at((uintptr_t)(to_device ? destination : source));
    if (!a || !a->managed) return refuse_direction(destination, source, kind, caller);
  }
  if (to_device && !is_live_range(destination, bytes)) return refuse_range("cudaMemcpy", destination, bytes, caller);
  if (from_device && !is_live_range(source, bytes)) return refuse_range("cudaMemcpy", source, bytes, caller);
  if (checker.enabled && !to_device && space.in_arena((uintptr_t)source)) check_written(source, bytes, caller);
  memmove(destination, source, bytes);
  copy_states(destination, source, bytes);
  if (to_device && !from_device) counters.bytes_from_host += (int64_t)bytes;
  if (from_device && !to_device) counters.bytes_to_host += (int64_t)bytes;
  if (from_device && to_device) counters.bytes_on_device += (int64_t)bytes;
  return kSuccess;
}

static int free_memory(void* pointer, void* caller) {
  if (!pointer) return kSuccess;
  Allocation* a = allocation_at((uintptr_t)pointer);
  if (a && a->begin == (uintptr_t)pointer && !a->freed) {
    release(a);
    return kSuccess;
  }
  if (Finding* f = host_finding(Kind::bad_free, caller)) {
    f->message = format("cudaFree (%s) of %s", f->at.text().c_str(),
                        a && a->freed ? "memory that was freed already" : "a pointer that cudaMalloc did not return");
    publish_findings();
  }
  return set_error(kInvalidValue);
}

}  // namespace cudasim

using namespace cudasim;

extern "C" {

int cudasim_malloc(void** pointer, size_t bytes, int managed, void*) {
  *pointer = nullptr;
  if (const int error = take_sticky_error()) return error;
  if (!bytes) return kSuccess;
  Allocation* a = allocate(bytes, managed != 0);
  if (!a) return set_error(kOutOfMemory);
  counters.allocations++;
  *pointer = (void*)a->begin;
  return kSuccess;
}

int cudasim_free(void* pointer, void* caller) { return free_memory(pointer, caller); }

int cudasim_memcpy(void* destination, const void* source, size_t bytes, int kind, void* caller) {
  return copy(destination, source, bytes, kind, caller);
}

int cudasim_memset(void* destination, int value, size_t bytes, void* caller) {
  if (const int error = take_sticky_error()) return error;
  if (!bytes) return kSuccess;
  if (!is_device(destination) || !is_live_range(destination, bytes))
    return refuse_range("cudaMemset", destination, bytes, caller);
  memset(destination, value, bytes);
  counters.bytes_on_device += (int64_t)bytes;
  copy_states(destination, nullptr, bytes);
  return kSuccess;
}

int cudasim_symbol_copy(void* destination, const void* source, size_t bytes, const void* symbol, size_t symbol_bytes,
                        size_t offset_bytes, void* caller) {
  if (const int error = take_sticky_error()) return error;
  if (offset_bytes > symbol_bytes || bytes > symbol_bytes - offset_bytes)
    return refuse_range("a symbol copy", symbol, bytes, caller);
  memmove(destination, source, bytes);
  copy_states(destination, source, bytes);
  const bool into_symbol = (uintptr_t)destination - (uintptr_t)symbol <= symbol_bytes;
  (into_symbol ? counters.bytes_from_host : counters.bytes_to_host) += (int64_t)bytes;
  return kSuccess;
}

int cudasim_pointer_kind(const void* pointer, void** base, size_t* bytes) {
  *base = nullptr, *bytes = 0;
  const Allocation* a = allocation_at((uintptr_t)pointer);
  if (a && !a->freed) {
    *base = (void*)a->begin, *bytes = a->bytes;
    return a->managed ? 2 : 1;
  }
  return device_variable_at((uintptr_t)pointer) ? 3 : 0;
}

void cudasim_memory_info(size_t* free_bytes, size_t* total_bytes) {
  constexpr size_t kTotal = (size_t)16 << 30;
  *total_bytes = kTotal;
  *free_bytes = kTotal - std::min(kTotal, live_bytes());
}

void cudasim_device_reset() {
  forget_allocations();
  clear_errors();
}
}
