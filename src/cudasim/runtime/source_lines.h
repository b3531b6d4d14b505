// From a code address to the file and line it was compiled from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cudasim {

struct SourceLine {
  std::string file;  // as the compiler knew it; empty when unknown
  int line = 0;

  bool known() const { return !file.empty(); }
  std::string text() const;  // "reduce.cu:33", "?" when unknown
};

// Of the instruction before this return address. Reads the module's own line table (DWARF 4 or 5); no other program
// runs.
SourceLine line_of(uintptr_t return_address);
// The first of these return addresses (innermost first) that lies in the student's code, not in a header of the system
// or ours.
SourceLine users_line(const std::vector<uintptr_t>& return_addresses);

}  // namespace cudasim
