// Included after the last line of a public course's `ndarray_backend_cpu.cc`: hands its array type and functions over, noted
// down for course_bridge.cc, or as a module of the real pybind11 where the file wants more of it than course_headers has.
void needle_course_assertion_failed(const char* condition, const char* file, int line) {
  throw std::runtime_error(std::string("assert(") + condition + ") at " + file + ":" + std::to_string(line));
}

#ifdef NEEDLE_REAL_PYBIND11
#pragma pop_macro("PYBIND11_MODULE")
PYBIND11_MODULE(ndarray_backend_cpu, m) {
  typedef NEEDLE_COURSE_ARRAY Array;
  needle_submitted_bindings(m);
  if (!pybind11::hasattr(m, "Array"))
    pybind11::class_<Array>(m, "Array")
        .def(pybind11::init<size_t>(), pybind11::return_value_policy::take_ownership)
        .def("ptr", &Array::ptr_as_int)
        .def_readonly("size", &Array::size);
  needle_course::complete<Array>(m, [&m](const char* name) { return pybind11::hasattr(m, name); });
}
#else
needle_course::Submission needle_course::load_submission() {
  typedef NEEDLE_COURSE_ARRAY Array;
  pybind11::module_ m;
  needle_submitted_bindings(m);
  complete<Array>(m, [&m](const char* name) { return m.has(name); });
  return {m.functions, [](size_t size) -> void* { return new Array(size); },
          [](void* array) { delete static_cast<Array*>(array); },
          [](void* array) { return reinterpret_cast<size_t>(static_cast<Array*>(array)->ptr); },
          [](void* array) { return static_cast<size_t>(static_cast<Array*>(array)->size); }};
}
#endif
