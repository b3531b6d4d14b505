#include "source_lines.h"

#include <dlfcn.h>

#include <unordered_map>

#include "dwarf_lines.h"
#include "text.h"

namespace cudasim {

std::string SourceLine::text() const { return known() ? base_name(file) + ":" + std::to_string(line) : "?"; }

struct Module {
  LineTable lines;
};

static const Module& module_of(const Dl_info& info) {
  static std::unordered_map<std::string, Module> modules;
  const std::string path = info.dli_fname;
  auto found = modules.find(path);
  if (found != modules.end()) return found->second;
  Module& module = modules[path];
  module.lines = read_line_table(path);
#ifdef __linux__
  // The main program is known by the name it was started with, which need not be a path.
  if (module.lines.rows.empty() && path.find(".so") == std::string::npos)
    module.lines = read_line_table("/proc/self/exe");
#endif
  return module;
}

// Position-independent code is linked at 0; a fixed executable at its own addresses.
static uint64_t linked_address(const Dl_info& info, uintptr_t address) {
  return (uintptr_t)info.dli_fbase == 0x400000 ? address : address - (uintptr_t)info.dli_fbase;
}

SourceLine line_of(uintptr_t return_address) {
  static std::unordered_map<uintptr_t, SourceLine> known;
  auto found = known.find(return_address);
  if (found != known.end()) return found->second;
  SourceLine result;
  Dl_info info;
  const uintptr_t instruction = return_address - 1;
  if (return_address && dladdr((void*)instruction, &info) && info.dli_fname) {
    const Module& module = module_of(info);
    if (const LineRow* row = module.lines.find(linked_address(info, instruction)))
      result = {module.lines.files[(size_t)row->file], row->line};
  }
  return known[return_address] = result;
}

static bool is_header_of_others(const std::string& file) {
  for (const char* part : {"cudasim/include/", "cudasim/runtime/", "/include/c++/", "/usr/include/", "/usr/lib/",
                           "/lib/gcc/", "include/cudasim/"})
    if (file.find(part) != std::string::npos) return true;
  return false;
}

SourceLine users_line(const std::vector<uintptr_t>& return_addresses) {
  SourceLine innermost;
  for (uintptr_t address : return_addresses) {
    const SourceLine line = line_of(address);
    if (line.known() && !is_header_of_others(line.file)) return line;
    if (!innermost.known()) innermost = line;
  }
  return innermost;
}

}  // namespace cudasim
