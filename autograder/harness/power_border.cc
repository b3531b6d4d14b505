// Stands for src/common/power.cc where any other exercise is graded: the call as it comes.
#include "power.h"

namespace needle {

void call_power(const Array& a, const Array& b, Array& out) {
  if (out.size != 0) ewise_power(a.data, b.data, out.data, out.size);
}

}  // namespace needle
