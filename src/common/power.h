// The border of ewise_power, an operator whose every boundary is a file of its own (family power).
#pragma once

#include "array.h"

namespace needle {

// What bindings.cc calls with the handles that Python gave, all of them of this device (power.cc).
void call_power(const Array& a, const Array& b, Array& out);

}  // namespace needle
