// Shared memory and device variables, as the translated text declares them (see ABI.md).
#pragma once

#include <type_traits>

#include "compiler.h"
#include "runtime.h"

namespace cudasim {

// Tells the runtime the names and extents of one shared declaration, for reports.
struct SharedNames {
  template <class Struct, class Member>
  CUDASIM_UNSEEN void add(const char* name, Struct&, Member& member) {
    const size_t extents[3] = {std::extent<Member, 0>::value, std::extent<Member, 1>::value,
                               std::extent<Member, 2>::value};
    cudasim_name_shared((const void*)&member, name, sizeof member,
                        sizeof(typename std::remove_all_extents<Member>::type), (int)std::rank<Member>::value, extents);
  }
};

template <class Struct, class AddNames>
CUDASIM_UNSEEN __attribute__((noinline)) Struct& place_shared(cudasim_shared_slot& slot, AddNames add_names) {
  Struct& placed = *(Struct*)cudasim_place_shared(&slot, sizeof(Struct), alignof(Struct));
  SharedNames names;
  add_names(placed, names);
  return placed;
}

// The block's instance of one shared declaration: placed by the first thread of a launch that gets here.
template <class Struct, class AddNames>
CUDASIM_UNSEEN inline Struct& shared(AddNames add_names) {
  static cudasim_shared_slot slot;
  if (__builtin_expect(slot.launch == cudasim_launch_number, 1)) return *(Struct*)slot.address;
  return place_shared<Struct>(slot, add_names);
}

template <class T>
CUDASIM_UNSEEN inline T (&dynamic_shared(const char* name))
    [] { return *reinterpret_cast<T(*)[]>(cudasim_dynamic_shared(name, sizeof(T))); }

enum class Space {
  device,
  constant,
  managed
};

struct DeviceVariable {
  template <class T>
  DeviceVariable(const char* name, T& variable, Space space) {
    cudasim_device_variable(name, (const void*)&variable, sizeof variable,
                            sizeof(typename std::remove_all_extents<T>::type), (int)space);
  }
};

}  // namespace cudasim
