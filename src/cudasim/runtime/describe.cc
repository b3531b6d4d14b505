#include "describe.h"

#include <cstring>
#include <functional>

#include "address_space.h"
#include "allocations.h"
#include "device_variables.h"
#include "launch.h"
#include "shared_memory.h"
#include "text.h"

namespace cudasim {

std::string parameter_name(int position) {
  const char* name = launch.request->parameters;
  for (int i = 0; i < position && name; i++) {
    name = strchr(name, ',');
    if (name) name++;
  }
  if (!name || !*name) return format("argument %d", position + 1);
  return std::string(name, strcspn(name, ","));
}

static int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// The kernel's argument that points to this allocation: that to its beginning, else any.
static const cudasim_pointer_argument* argument_into(const Allocation& a) {
  const cudasim_pointer_argument* found = nullptr;
  for (int i = 0; in_kernel && i < launch.request->pointer_count; i++) {
    const cudasim_pointer_argument& argument = launch.request->pointers[i];
    const uintptr_t p = (uintptr_t)argument.pointer;
    if (p < a.begin || p > a.begin + a.bytes) continue;
    if (!found || p == a.begin) found = &argument;
  }
  return found;
}

static Description describe_global(uintptr_t address, unsigned bytes) {
  Description d;
  const Allocation* a = nearest_allocation(address);
  if (!a) {
    d.array = "device memory", d.element = "device memory that was never allocated";
    return d;
  }
  const cudasim_pointer_argument* argument = argument_into(*a);
  const size_t element = argument && argument->element_bytes > 1 ? argument->element_bytes : bytes ? bytes : 1;
  const uintptr_t begin = argument ? (uintptr_t)argument->pointer : a->begin;
  d.array = argument ? parameter_name(argument->position) : format("allocation #%d", a->number);
  d.index = floor_divide((int64_t)(address - begin), (int64_t)element);
  d.element = format("%s[%lld]", d.array.c_str(), (long long)d.index);
  d.extent = format("%s has %zu elements of %zu bytes%s", d.array.c_str(), (a->begin + a->bytes - begin) / element,
                    element, a->freed ? " and was freed" : "");
  return d;
}

uint64_t array_key(uintptr_t address) {
  if (space.in_shared(address)) {
    const SharedVariable* v = shared_variable_near(address);
    return v ? std::hash<std::string>()(v->name) : 1;
  }
  const Allocation* a = space.in_arena(address) ? nearest_allocation(address) : nullptr;
  const cudasim_pointer_argument* argument = a ? argument_into(*a) : nullptr;
  return argument ? (uint64_t)argument->position + 2 : 0;
}

static std::string extents_text(const SharedVariable& v) {
  std::string text;
  for (int i = 0; i < v.rank && i < 3; i++) text += format("[%zu]", v.extents[i]);
  return text.empty() ? format("[%zu]", v.bytes / v.element_bytes) : text;
}

static std::string indices_text(const SharedVariable& v, int64_t flat) {
  const int64_t d1 = (int64_t)v.extents[1], d2 = (int64_t)v.extents[2];
  if (v.rank == 0) return "";
  if (v.rank == 2) return format("[%lld][%lld]", (long long)(flat / d1), (long long)(flat % d1));
  if (v.rank == 3)
    return format("[%lld][%lld][%lld]", (long long)(flat / (d1 * d2)), (long long)(flat / d2 % d1),
                  (long long)(flat % d2));
  return format("[%lld]", (long long)flat);
}

static Description describe_shared(uintptr_t address) {
  Description d;
  const SharedVariable* v = shared_variable_near(address);
  const SharedVariable* dynamic = dynamic_shared_variable();
  if (dynamic && (!v || address < dynamic->begin + dynamic->bytes + 256)) v = dynamic;
  if (!v) {
    d.array = "shared memory", d.element = "shared memory that is not declared";
    return d;
  }
  d.array = v->name;
  d.index = floor_divide((int64_t)(address - v->begin), (int64_t)v->element_bytes);
  const bool inside = address >= v->begin && address < v->begin + v->bytes;
  d.element = "__shared__ " + v->name +
              (inside && v != dynamic ? indices_text(*v, d.index) : format("[%lld]", (long long)d.index));
  if (v == dynamic)
    d.extent = format("the launch gave it %zu bytes = %zu elements", v->bytes, v->bytes / v->element_bytes);
  else if (!inside && v->rank > 1)
    d.element = format("__shared__ %s at flat index %lld", v->name.c_str(), (long long)d.index);
  if (v != dynamic) d.extent = v->name + " is declared " + v->name + extents_text(*v);
  return d;
}

// Memory of the host: named if a pointer argument leads there.
static Description describe_host(uintptr_t address, unsigned bytes) {
  Description d;
  d.array = "?";
  d.element = address < 65536 ? "through a null pointer"
                              : format("address 0x%llx, which is in no device memory", (unsigned long long)address);
  for (int i = 0; in_kernel && i < launch.request->pointer_count; i++) {
    const cudasim_pointer_argument& argument = launch.request->pointers[i];
    const uintptr_t p = (uintptr_t)argument.pointer;
    if (space.in_arena(p) || device_variable_at(p) || address < p || address - p >= (1u << 30)) continue;
    const size_t element = argument.element_bytes > 1 ? argument.element_bytes : bytes ? bytes : 1;
    d.array = parameter_name(argument.position);
    d.index = (int64_t)((address - p) / element);
    d.element = format("%s[%lld]", d.array.c_str(), (long long)d.index);
    d.extent = format("argument %s is %s", d.array.c_str(), p ? "host memory" : "a null pointer");
  }
  return d;
}

Description describe(uintptr_t address, unsigned bytes) {
  if (space.in_arena(address)) return describe_global(address, bytes);
  if (space.in_shared(address)) return describe_shared(address);
  const DeviceVariable* v = device_variable_at(address);
  if (!v) v = device_variable_beside(address);
  if (v) {
    Description d;
    d.array = v->name;
    d.index = floor_divide((int64_t)(address - v->begin), (int64_t)v->element_bytes);
    d.element =
        v->bytes > v->element_bytes || d.index ? format("%s[%lld]", v->name.c_str(), (long long)d.index) : v->name;
    d.extent = format("%s has %zu elements", v->name.c_str(), v->bytes / v->element_bytes);
    return d;
  }
  return describe_host(address, bytes);
}

}  // namespace cudasim
