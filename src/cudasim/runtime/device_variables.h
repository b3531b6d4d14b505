// __device__, __constant__ and __managed__ variables: ordinary variables of the module that registered them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "shadow.h"

namespace cudasim {

enum class VariableSpace { device, constant, managed };

struct DeviceVariable {
  std::string name;
  uintptr_t begin;
  size_t bytes, element_bytes;
  VariableSpace space;
  std::vector<Cell> cells;  // made at the first checked access
  std::vector<uint8_t> states;
};

DeviceVariable* device_variable_at(uintptr_t address);
// A variable that ends shortly before the address or begins shortly after it: what an index out of bounds means.
DeviceVariable* device_variable_beside(uintptr_t address);

}  // namespace cudasim
