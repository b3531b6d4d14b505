// The Python module around a course's submission: compiled once for all of them, and the only part that needs pybind11.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>

#include "course_registry.h"

namespace py = pybind11;
using needle_course::Submission;
using needle_course::Value;

namespace {

// An array of the submission's own type, made and released by its own code.
struct Array {
  const std::shared_ptr<const Submission> owner;
  void* const handle;
  Array(std::shared_ptr<const Submission> submission, size_t size) : owner(submission), handle(owner->make(size)) {}
  Array(const Array&) = delete;
  ~Array() { owner->destroy(handle); }
};

Value value_of(const py::handle& argument) {
  if (py::isinstance<Array>(argument)) return {Value::kArray, argument.cast<Array&>().handle, 0, 0, {}};
  if (py::isinstance<py::float_>(argument)) return {Value::kNumber, nullptr, argument.cast<double>(), 0, {}};
  if (py::isinstance<py::int_>(argument)) return {Value::kInteger, nullptr, 0, argument.cast<long long>(), {}};
  return {Value::kIntegers, nullptr, 0, 0, argument.cast<std::vector<long long>>()};
}

}  // namespace

PYBIND11_MODULE(ndarray_backend_cpu, m) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const needle_course::WrongArguments& error) {
      PyErr_SetString(PyExc_TypeError, error.what());
    }
  });
  const auto submission = std::make_shared<const Submission>(needle_course::load_submission());
  py::class_<Array>(m, "Array")
      .def(py::init([submission](size_t size) { return std::make_unique<Array>(submission, size); }))
      .def("ptr", [](Array& array) { return array.owner->address(array.handle); })
      .def_property_readonly("size", [](Array& array) { return array.owner->size(array.handle); });
  for (const needle_course::Function& function : submission->functions) {
    const auto call = function.call;
    m.attr(function.name.c_str()) = py::cpp_function([call](const py::args& arguments) {
      std::vector<Value> values;
      for (const py::handle& each : arguments) values.push_back(value_of(each));
      call(values);
    });
  }
}
