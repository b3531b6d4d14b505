// Thrown by a function of the contract that this build lacks; becomes a NotImplementedError.
#pragma once

#include "contract.h"

namespace needle {

struct Missing : std::runtime_error {
  explicit Missing(const char* function);
};

}  // namespace needle
