// The entry of a backend's module, without pybind11: module.cc is NEEDLE_MODULE(ndarray_backend_cpu) and nothing else.
#pragma once

#include <Python.h>

namespace needle {

// A new module with every function of the contract, or nullptr with a Python exception set (bindings.cc).
PyObject* make_module(const char* name);

// The hash of the sources that this build was made from: defined in a generated file, read as __source_hash__.
extern const char* const source_hash;

}  // namespace needle

#define NEEDLE_MODULE(name) \
  PyMODINIT_FUNC PyInit_##name() { return ::needle::make_module(#name); }
