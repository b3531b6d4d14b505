// Family power: from Python's call to the kernel, `ewise_power(a, b, out)` with three handles of this device.
#include "power.h"

namespace needle {

// Checks what the kernel trusts its arguments for, then runs ewise_power (contract.h) on the three buffers.
//
// Rule: a, b and out have equally many elements. check_equal_sizes (border.h) refuses others in the words of rules.h:
// compare a with b, then a with out, by these names, for the operation "ewise_power".
// Where there are no elements, no kernel is called.
void call_power(const Array& a, const Array& b, Array& out) {
  // BEGIN SOLUTION power.binding
  check_equal_sizes("ewise_power", "a", a.size, "b", b.size);
  check_equal_sizes("ewise_power", "a", a.size, "out", out.size);
  if (out.size > 0) ewise_power(a.data, b.data, out.data, out.size);
  // END SOLUTION power.binding
}

}  // namespace needle
