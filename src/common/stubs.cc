// A weak definition of every function of the contract: what a build links where a kernel file did not compile.
//
// The strong definition of a kernel file replaces it. So one syntax error takes only its own family away, and calling a
// function of that family says which file to look at.
#include "missing.h"

namespace needle {
namespace {

// "src/backend_cpu/setitem.cc" for ewise_setitem on cpu: a family is the stem of its file in every backend.
std::string file_of(const std::string& function) {
  std::string family = function.substr(0, function.find('_'));
  if (function.size() > 8 && function.compare(function.size() - 8, 8, "_setitem") == 0) family = "setitem";
  if (function == "ewise_power") family = "power";
  std::string backend = device_info.name;
  const bool is_cuda = backend.compare(0, 4, "cuda") == 0;
  if (backend == "cuda_sim") backend = "cuda";  // the simulator runs the files of cuda
  return "src/backend_" + backend + "/" + family + (is_cuda ? ".cu" : ".cc");
}

}  // namespace

Missing::Missing(const char* function)
    : std::runtime_error(std::string(function) + " is not in this build of " + device_info.name + ": " +
                         file_of(function) +
                         " did not compile, or does not define it; run make and read its first error") {}

#define NEEDLE_STUB(name, parameters, arguments) \
  __attribute__((weak)) void name parameters { throw Missing(#name); }
NEEDLE_REQUIRED_FUNCTIONS(NEEDLE_STUB)
NEEDLE_OPTIONAL_FUNCTIONS(NEEDLE_STUB)
#undef NEEDLE_STUB

}  // namespace needle
