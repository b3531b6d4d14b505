#include "device_variables.h"

#include <deque>

#include "../include/cudasim/runtime.h"

namespace cudasim {

// Registrations run before main, in any order.
static std::deque<DeviceVariable>& registered() {
  static std::deque<DeviceVariable> all;
  return all;
}

DeviceVariable* device_variable_at(uintptr_t address) {
  for (DeviceVariable& v : registered())
    if (address - v.begin < v.bytes) return &v;
  return nullptr;
}

DeviceVariable* device_variable_beside(uintptr_t address) {
  for (DeviceVariable& v : registered()) {
    const size_t margin = v.bytes < 64 ? 64 : v.bytes < 4096 ? v.bytes : 4096;
    if (address - (v.begin - margin) < v.bytes + 2 * margin) return &v;
  }
  return nullptr;
}

}  // namespace cudasim

extern "C" void cudasim_device_variable(const char* name, const void* address, size_t bytes, size_t element_bytes,
                                        int space) {
  using namespace cudasim;
  // A module that was unloaded and loaded again registers the same addresses once more.
  DeviceVariable* known = device_variable_at((uintptr_t)address);
  DeviceVariable v = {name, (uintptr_t)address, bytes, element_bytes, (VariableSpace)space, {}, {}};
  if (known)
    *known = v;
  else
    registered().push_back(v);
}
