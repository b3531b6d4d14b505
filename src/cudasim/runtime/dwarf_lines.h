// The line table of one ELF file: DWARF 2 to 5, as GCC and Clang write it with -g1.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cudasim {

struct LineRow {
  uint64_t address;  // as linked
  int file;          // index into LineTable::files
  int line;          // 0: end of a sequence (code of no line, as Clang writes it, belongs to the row before)
};

struct LineTable {
  std::vector<std::string> files;
  std::vector<LineRow> rows;  // by address

  const LineRow* find(uint64_t address) const;  // the row that covers it
};

LineTable read_line_table(const std::string& elf_path);

}  // namespace cudasim
