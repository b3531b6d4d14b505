// Makes a public course's single-file backend gradable as it is: its own module block is kept, what it leaves out is added.
//
// Included before the first line of the submission, and course_end.h after the last. The submission's PYBIND11_MODULE becomes an ordinary
// function; after it, every contract function that exists in the submission's namespace but was left commented out in its
// block is added. A function that does not exist stays away. Works with the small pybind11 of course_headers and the real one.
#pragma once

#ifndef NEEDLE_COURSE_ARRAY
#define NEEDLE_COURSE_ARRAY needle::cpu::AlignedArray  // the array type of the course's C++ file
#endif

// What course files use without including it: their headers came in through pybind11's in some years.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#pragma push_macro("PYBIND11_MODULE")
#undef PYBIND11_MODULE
#define PYBIND11_MODULE(name, variable, ...) static void needle_submitted_bindings(::pybind11::module_& variable)

// Chosen when a file has no module block.
template <typename Module>
void needle_submitted_bindings(Module&) {}

namespace needle_course {

namespace py = pybind11;

template <int Rank>
struct Choice : Choice<Rank - 1> {};
template <>
struct Choice<0> {};

template <typename T>
const T& some();  // a value for decltype only

// NEEDLE_COURSE_FUNCTION(python name, C++ name, parameters of the call): binds the function when a call with these types
// compiles. The array type's namespace is searched by argument-dependent lookup, so macros, templates and overloads count.
#define NEEDLE_COURSE_FUNCTION(python, name, rank, types, parameters, arguments)                          \
  template <typename A>                                                                                   \
  auto add_##python(py::module_& m, Choice<rank>) -> decltype(name types, void()) {                       \
    m.def(#python, +[] parameters { name arguments; });                                                    \
  }
#define NEEDLE_COURSE_NONE(python) \
  template <typename A>            \
  void add_##python(py::module_&, Choice<0>) {}

#define NEEDLE_COURSE_UNARY(python, name)                                                              \
  NEEDLE_COURSE_NONE(python)                                                                           \
  NEEDLE_COURSE_FUNCTION(python, name, 1, (some<A>(), static_cast<A*>(nullptr)), (const A& a, A* out), (a, out))
#define NEEDLE_COURSE_BINARY(python, name)                                                                       \
  NEEDLE_COURSE_NONE(python)                                                                                     \
  NEEDLE_COURSE_FUNCTION(python, name, 1, (some<A>(), some<A>(), static_cast<A*>(nullptr)),                      \
                         (const A& a, const A& b, A* out), (a, b, out))
#define NEEDLE_COURSE_SCALAR(python, name)                                                                       \
  NEEDLE_COURSE_NONE(python)                                                                                     \
  NEEDLE_COURSE_FUNCTION(python, name, 1, (some<A>(), 1.0f, static_cast<A*>(nullptr)),                           \
                         (const A& a, float value, A* out), (a, value, out))
#define NEEDLE_COURSE_REDUCE(python, name)                                                                       \
  NEEDLE_COURSE_NONE(python)                                                                                     \
  NEEDLE_COURSE_FUNCTION(python, name, 1, (some<A>(), static_cast<A*>(nullptr), size_t{1}),                      \
                         (const A& a, A* out, size_t reduce_size), (a, out, reduce_size))
#define NEEDLE_COURSE_MATMUL(python, name)                                                                       \
  NEEDLE_COURSE_NONE(python)                                                                                     \
  NEEDLE_COURSE_FUNCTION(python, name, 1,                                                                        \
                         (some<A>(), some<A>(), static_cast<A*>(nullptr), uint32_t{1}, uint32_t{1}, uint32_t{1}), \
                         (const A& a, const A& b, A* out, uint32_t m, uint32_t n, uint32_t p), (a, b, out, m, n, p))
// shape and strides are vectors of int32_t, of uint32_t in the earlier years
#define NEEDLE_COURSE_MOVE(python, name, rank, integer)                                                          \
  NEEDLE_COURSE_FUNCTION(python, name, rank,                                                                     \
                         (some<A>(), static_cast<A*>(nullptr), some<std::vector<integer>>(),                     \
                          some<std::vector<integer>>(), size_t{0}),                                              \
                         (const A& a, A* out, std::vector<integer> shape, std::vector<integer> strides, size_t offset), \
                         (a, out, shape, strides, offset))
#define NEEDLE_COURSE_MOVE_SCALAR(python, name, rank, integer)                                                   \
  NEEDLE_COURSE_FUNCTION(python, name, rank,                                                                     \
                         (size_t{1}, 1.0f, static_cast<A*>(nullptr), some<std::vector<integer>>(),               \
                          some<std::vector<integer>>(), size_t{0}),                                              \
                         (size_t size, float value, A* out, std::vector<integer> shape,                          \
                          std::vector<integer> strides, size_t offset),                                          \
                         (size, value, out, shape, strides, offset))

#define NEEDLE_COURSE_FUNCTIONS(BINARY, SCALAR, UNARY, REDUCE, MATMUL)                                                  \
  BINARY(ewise_add, EwiseAdd) BINARY(ewise_mul, EwiseMul) BINARY(ewise_div, EwiseDiv)                            \
  BINARY(ewise_maximum, EwiseMaximum) BINARY(ewise_eq, EwiseEq) BINARY(ewise_ge, EwiseGe)                        \
  SCALAR(scalar_add, ScalarAdd) SCALAR(scalar_mul, ScalarMul) SCALAR(scalar_div, ScalarDiv)                      \
  SCALAR(scalar_power, ScalarPower) SCALAR(scalar_maximum, ScalarMaximum) SCALAR(scalar_eq, ScalarEq)            \
  SCALAR(scalar_ge, ScalarGe) UNARY(ewise_log, EwiseLog) UNARY(ewise_exp, EwiseExp) UNARY(ewise_tanh, EwiseTanh) \
  REDUCE(reduce_max, ReduceMax) REDUCE(reduce_sum, ReduceSum)                                                    \
  MATMUL(matmul, Matmul) MATMUL(matmul_tiled, MatmulTiled)

NEEDLE_COURSE_FUNCTIONS(NEEDLE_COURSE_BINARY, NEEDLE_COURSE_SCALAR, NEEDLE_COURSE_UNARY, NEEDLE_COURSE_REDUCE,
                        NEEDLE_COURSE_MATMUL)
NEEDLE_COURSE_NONE(compact)
NEEDLE_COURSE_MOVE(compact, Compact, 1, uint32_t)
NEEDLE_COURSE_MOVE(compact, Compact, 2, int32_t)
NEEDLE_COURSE_NONE(ewise_setitem)
NEEDLE_COURSE_MOVE(ewise_setitem, EwiseSetitem, 1, uint32_t)
NEEDLE_COURSE_MOVE(ewise_setitem, EwiseSetitem, 2, int32_t)
NEEDLE_COURSE_NONE(scalar_setitem)
NEEDLE_COURSE_MOVE_SCALAR(scalar_setitem, ScalarSetitem, 1, uint32_t)
NEEDLE_COURSE_MOVE_SCALAR(scalar_setitem, ScalarSetitem, 2, int32_t)

// After the submission's own block: every function that exists and is unbound. `has(name)` says what is bound.
template <typename A, typename Has>
void complete(py::module_& m, Has has) {
#define NEEDLE_COURSE_ADD(python, name) \
  if (!has(#python)) add_##python<A>(m, Choice<2>());
  NEEDLE_COURSE_FUNCTIONS(NEEDLE_COURSE_ADD, NEEDLE_COURSE_ADD, NEEDLE_COURSE_ADD, NEEDLE_COURSE_ADD, NEEDLE_COURSE_ADD)
  NEEDLE_COURSE_ADD(compact, Compact)
  NEEDLE_COURSE_ADD(ewise_setitem, EwiseSetitem)
  NEEDLE_COURSE_ADD(scalar_setitem, ScalarSetitem)
#undef NEEDLE_COURSE_ADD
}

}  // namespace needle_course
