// The only file with pybind11: every function of the contract under its Python name and argument order.
//
// Compiled once and linked into each backend. The functions come from the table in contract.h and are bound by their
// signature, so a new row with a known signature needs no line here. Arguments arrive as plain objects: a wrong type is
// refused in the words of rules.h, the same on every backend.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "array.h"
#include "missing.h"
#include "module.h"
#include "power.h"

namespace py = pybind11;

namespace needle {

Counters counters;

namespace {

using Unary = void (*)(const float*, float*, int64_t);
using Binary = void (*)(const float*, const float*, float*, int64_t);
using WithScalar = void (*)(const float*, float, float*, int64_t);
using Reduce = void (*)(const float*, float*, int64_t, int64_t);
using Matmul = void (*)(const float*, const float*, float*, int64_t, int64_t, int64_t);
using Fill = void (*)(float*, float, int64_t);
using Move = void (*)(const float*, float*, Layout);
using MoveScalar = void (*)(float, float*, Layout);

PyTypeObject* array_type = nullptr;  // set by make_module; this module's own class, never another backend's

// "NoneType", or "an Array of cpu" for the handle of another backend.
std::string described(py::handle object) {
  if (std::string(Py_TYPE(object.ptr())->tp_name).find("Array") != std::string::npos && py::hasattr(object, "device"))
    return "an Array of " + py::str(object.attr("device")).cast<std::string>();
  const std::string name = Py_TYPE(object.ptr())->tp_name;
  return name.substr(name.rfind('.') + 1);
}

Array& to_array(const char* op, const char* arg, py::handle object) {
  if (Py_TYPE(object.ptr()) != array_type)
    refuse(Rule::handle, {{"op", op}, {"arg", arg}, {"device", device_info.name}, {"got", described(object)}});
  return *object.cast<Array*>();
}

int64_t to_integer(const char* op, const char* arg, py::handle object) {
  const auto integer =
      py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));  // Python's own words for a float
  if (!integer) throw py::error_already_set();
  int overflow = 0;
  const int64_t value = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
  if (overflow != 0)
    refuse(Rule::overflow, {{"op", op}, {"what", std::string(arg) + " = " + py::str(integer).cast<std::string>()}});
  return value;
}

std::vector<int64_t> to_integers(const char* op, const char* arg, py::handle object) {
  const auto items = py::reinterpret_steal<py::object>(PySequence_Tuple(object.ptr()));
  if (!items) throw py::error_already_set();
  std::vector<int64_t> values;
  values.reserve(static_cast<size_t>(PyTuple_GET_SIZE(items.ptr())));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.ptr()); i++)
    values.push_back(to_integer(op, arg, PyTuple_GET_ITEM(items.ptr(), i)));
  return values;
}

View to_view(const char* op, py::handle shape, py::handle strides, py::handle offset) {
  return {to_integers(op, "shape", shape), to_integers(op, "strides", strides), to_integer(op, "offset", offset)};
}

// Python's real numbers and NumPy's scalars; no strings, arrays, complex numbers or None.
bool is_number(py::handle object) {
  if (PyFloat_Check(object.ptr()) || PyLong_Check(object.ptr())) return true;
  const std::string name = Py_TYPE(object.ptr())->tp_name;
  if (name == "numpy.bool" || name == "numpy.bool_") return true;
  return py::isinstance(object, py::module_::import("numbers").attr("Real"));
}

float to_scalar(const char* op, const char* arg, py::handle object) {
  if (!is_number(object)) refuse(Rule::scalar, {{"op", op}, {"arg", arg}, {"got", described(object)}});
  const double value = PyFloat_AsDouble(object.ptr());
  if (value == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return static_cast<float>(value);
}

void refuse_same(const char* op, const Array& out, const Array& input) {
  if (&out == &input) refuse(Rule::out_is_input, {{"op", op}});
}

// Counts the launch, unless there is nothing to do: then no kernel is called at all.
template <typename Function, typename... Arguments>
void launch(int64_t work, Function function, Arguments... arguments) {
  if (work == 0) return;
  counters.launches++;
  function(arguments...);
}

// One overload per signature of the table. `op` is the name in Python and lives as long as the module.
void bind(py::module_& m, const char* op, Fill function) {
  m.def(op, [op, function](py::handle out_, py::handle value) {
    Array& out = to_array(op, "out", out_);
    launch(out.size, function, out.data, to_scalar(op, "value", value), out.size);
  });
}

void bind(py::module_& m, const char* op, Unary function) {
  m.def(op, [op, function](py::handle a_, py::handle out_) {
    Array &a = to_array(op, "a", a_), &out = to_array(op, "out", out_);
    check_equal_sizes(op, "a", a.size, "out", out.size);
    launch(out.size, function, a.data, out.data, out.size);
  });
}

void bind(py::module_& m, const char* op, Binary function) {
  m.def(op, [op, function](py::handle a_, py::handle b_, py::handle out_) {
    Array &a = to_array(op, "a", a_), &b = to_array(op, "b", b_), &out = to_array(op, "out", out_);
    check_equal_sizes(op, "a", a.size, "b", b.size);
    check_equal_sizes(op, "a", a.size, "out", out.size);
    launch(out.size, function, a.data, b.data, out.data, out.size);
  });
}

void bind(py::module_& m, const char* op, WithScalar function) {
  m.def(op, [op, function](py::handle a_, py::handle value_, py::handle out_) {
    Array &a = to_array(op, "a", a_), &out = to_array(op, "out", out_);
    const float value = to_scalar(op, "value", value_);
    check_equal_sizes(op, "a", a.size, "out", out.size);
    launch(out.size, function, a.data, value, out.data, out.size);
  });
}

void bind(py::module_& m, const char* op, Reduce function) {
  const bool is_maximum = std::strcmp(op, "reduce_max") == 0;
  m.def(op, [op, function, is_maximum](py::handle a_, py::handle out_, py::handle reduce_size_) {
    Array &a = to_array(op, "a", a_), &out = to_array(op, "out", out_);
    const int64_t reduce_size = to_integer(op, "reduce_size", reduce_size_);
    refuse_same(op, out, a);
    check_reduce(op, a.size, out.size, reduce_size, is_maximum);
    launch(out.size, function, a.data, out.data, out.size, reduce_size);
  });
}

void bind(py::module_& m, const char* op, Matmul function) {
  const int tile = std::strcmp(op, "matmul_tiled") == 0 ? device_info.tile_size : 0;
  m.def(op, [op, function, tile](py::handle a_, py::handle b_, py::handle out_, py::handle m_, py::handle n_,
                                 py::handle p_) {
    Array &a = to_array(op, "a", a_), &b = to_array(op, "b", b_), &out = to_array(op, "out", out_);
    const int64_t rows = to_integer(op, "m", m_), inner = to_integer(op, "n", n_), columns = to_integer(op, "p", p_);
    refuse_same(op, out, a);
    refuse_same(op, out, b);
    check_matmul(op, a.size, b.size, out.size, rows, inner, columns, tile);
    launch(out.size, function, a.data, b.data, out.data, rows, inner, columns);
  });
}

void bind(py::module_& m, const char* op, Move function) {
  const bool writes_view = std::strcmp(op, "ewise_setitem") == 0;  // the view is out's; of compact, it is a's
  m.def(op, [op, function, writes_view](py::handle a_, py::handle out_, py::handle shape, py::handle strides,
                                        py::handle offset) {
    Array &a = to_array(op, "a", a_), &out = to_array(op, "out", out_);
    const View view = to_view(op, shape, strides, offset);
    refuse_same(op, out, a);
    const Layout layout = checked_layout(op, view);
    const Array &flat = writes_view ? a : out, &viewed = writes_view ? out : a;
    check_view_size(op, layout, writes_view ? "a" : "out", flat.size);
    check_inside(op, view, writes_view ? "out" : "a", viewed.size);
    if (writes_view) check_one_to_one(op, view);
    launch(flat.size, function, a.data, out.data, layout);
  });
}

void bind(py::module_& m, const char* op, MoveScalar function) {
  m.def(op, [op, function](py::handle size_, py::handle value_, py::handle out_, py::handle shape, py::handle strides,
                           py::handle offset) {
    const int64_t size = to_integer(op, "size", size_);
    const float value = to_scalar(op, "value", value_);
    Array& out = to_array(op, "out", out_);
    const View view = to_view(op, shape, strides, offset);
    const Layout layout = checked_layout(op, view);
    check_view_size(op, layout, "size", size);
    check_inside(op, view, "out", out.size);
    check_one_to_one(op, view);
    launch(size, function, value, out.data, layout);
  });
}

// An independent, row-major NumPy array. Device memory comes to the host whole, as one copy of the allocation; NumPy
// gathers the view there.
py::object to_numpy(py::handle a_, py::handle shape, py::handle strides, py::handle offset) {
  const char* op = "to_numpy";
  Array& a = to_array(op, "a", a_);
  const View view = to_view(op, shape, strides, offset);
  const Layout layout = checked_layout(op, view);
  check_inside(op, view, "a", a.size);
  const std::vector<py::ssize_t> lengths(view.shape.begin(), view.shape.end());
  const int64_t view_size = count(layout);
  if (view_size == 0) return py::array_t<float>(lengths);
  const float* source = a.data;
  std::vector<float> host;
  if (!device_info.host_memory) {
    host.resize(static_cast<size_t>(a.size));
    copy_to_host(host.data(), a.data, static_cast<size_t>(a.size_bytes()));
    source = host.data();
  }
  counters.bytes_to_host += device_info.host_memory ? view_size * static_cast<int64_t>(sizeof(float)) : a.size_bytes();
  std::vector<py::ssize_t> strides_bytes;
  for (int axis = 0; axis < layout.rank; axis++) strides_bytes.push_back(layout.strides[axis] * 4);
  const py::array_t<float> shared(lengths, strides_bytes, source + layout.offset,
                                  a_);  // the base keeps it from copying
  return shared.attr("copy")("C");
}

// NumPy makes it row-major float32 where it is not; the dtype rules of the library are NDArray's.
void from_numpy(py::handle a_, py::handle out_) {
  const char* op = "from_numpy";
  Array& out = to_array(op, "out", out_);
  const py::array_t<float, py::array::c_style | py::array::forcecast> a(py::reinterpret_borrow<py::object>(a_));
  check_equal_sizes(op, "a", a.size(), "out", out.size);
  if (out.size == 0) return;
  copy_from_host(out.data, a.data(), static_cast<size_t>(out.size_bytes()));
  counters.bytes_from_host += out.size_bytes();
}

void power(py::handle a, py::handle b, py::handle out_) {
  Array& out = to_array("ewise_power", "out", out_);
  call_power(to_array("ewise_power", "a", a), to_array("ewise_power", "b", b), out);
  counters.launches += out.size > 0 ? 1 : 0;
}

py::dict counters_dict() {
  py::dict result;
  result["launches"] = counters.launches;
  result["bytes_to_host"] = counters.bytes_to_host;
  result["bytes_from_host"] = counters.bytes_from_host;
  result["allocations"] = counters.allocations;
  result["live_allocations"] = counters.live_allocations;
  result["live_bytes"] = counters.live_bytes;
  return result;
}

void reset_counters() {
  counters.launches = counters.bytes_to_host = counters.bytes_from_host = counters.allocations = 0;
}

void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const Refused& error) {
    PyObject* classes[] = {PyExc_ValueError, PyExc_TypeError, PyExc_MemoryError};  // in the order of ErrorClass
    PyErr_SetString(classes[static_cast<int>(error.error_class)], error.what());
  } catch (const Unfinished& error) {
    PyErr_SetString(PyExc_NotImplementedError, error.what());
  } catch (const Missing& error) {
    PyErr_SetString(PyExc_NotImplementedError, error.what());
  }
}

void bind_everything(py::module_& m) {
  py::register_local_exception_translator(translate);
  auto array = py::class_<Array>(m, "Array", py::module_local(), py::is_final())
                   .def(py::init([](py::handle size) { return new Array(to_integer("Array", "size", size)); }))
                   .def_readonly("size", &Array::size)
                   .def("ptr", [](const Array& a) { return reinterpret_cast<uintptr_t>(a.data); })
                   .def_property_readonly("device", [](const Array&) { return device_info.name; });
  array_type = reinterpret_cast<PyTypeObject*>(array.ptr());
  m.def("to_numpy", to_numpy);
  m.def("from_numpy", from_numpy);
#define NEEDLE_BIND(name, parameters, arguments) bind(m, #name, &::needle::name);
  NEEDLE_REQUIRED_FUNCTIONS(NEEDLE_BIND)
#undef NEEDLE_BIND
  if (device_info.has_matmul_tiled) bind(m, "matmul_tiled", &::needle::matmul_tiled);
  m.def("ewise_power", power);  // the rest of its border is a file of its own: power.cc
  m.def("counters", counters_dict);
  m.def("reset_counters", reset_counters);
  m.attr("__device_name__") = device_info.name;
  m.attr("__tile_size__") = device_info.tile_size;
  m.attr("__max_rank__") = device_info.max_rank;
  m.attr("__source_hash__") = source_hash;
}

}  // namespace

PyObject* make_module(const char* name) {
  PYBIND11_CHECK_PYTHON_VERSION
  PYBIND11_ENSURE_INTERNALS_READY
  static PyModuleDef definition;
  try {
    auto m = py::module_::create_extension_module(name, nullptr, &definition);
    bind_everything(m);
    return m.ptr();
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_ImportError, error.what());
  }
  return nullptr;
}

}  // namespace needle
