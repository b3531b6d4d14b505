// Stands for the kernel where the border of ewise_power is graded: its result tells the operands and their order.
#include "contract.h"

namespace needle {

void ewise_power(const float* a, const float* b, float* out, int64_t size) {
  if (size <= 0) throw std::runtime_error("the kernel was called although there are no elements");
  for (int64_t i = 0; i < size; i++) out[i] = 1000.0f * a[i] + b[i];
}

}  // namespace needle
