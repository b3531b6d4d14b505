#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <iostream>
#include <stdexcept>

namespace needle {
namespace cpu {

#define ALIGNMENT 256
#define TILE 8
typedef float scalar_t;
const size_t ELEM_SIZE = sizeof(scalar_t);

struct AlignedArray {
  AlignedArray(const size_t size) {
    if (posix_memalign((void**)&ptr, ALIGNMENT, size * ELEM_SIZE) != 0) throw std::bad_alloc();
    this->size = size;
  }
  ~AlignedArray() { free(ptr); }
  size_t ptr_as_int() { return (size_t)ptr; }
  scalar_t* ptr;
  size_t size;
};

void Fill(AlignedArray* out, scalar_t val) {
  for (int i = 0; i < out->size; i++) {
    out->ptr[i] = val;
  }
}

static bool Turn(std::vector<int32_t>& wheels, const std::vector<int32_t>& shape) {
  for (int d = (int)shape.size() - 1; d >= 0; d--) {
    if (++wheels[d] != shape[d]) return true;
    wheels[d] = 0;
  }
  return false;
}

static size_t Where(const std::vector<int32_t>& wheels, const std::vector<int32_t>& strides, size_t offset) {
  return std::inner_product(wheels.begin(), wheels.end(), strides.begin(), offset);
}

void Compact(const AlignedArray& a, AlignedArray* out, std::vector<int32_t> shape, std::vector<int32_t> strides,
             size_t offset) {
  // assert(false && "Not Implemented");
  std::vector<int32_t> wheels(shape.size());
  size_t k = 0;
  do {
    out->ptr[k++] = a.ptr[Where(wheels, strides, offset)];
  } while (Turn(wheels, shape));
}

void EwiseSetitem(const AlignedArray& a, AlignedArray* out, std::vector<int32_t> shape, std::vector<int32_t> strides,
                  size_t offset) {
  std::vector<int32_t> wheels(shape.size());
  size_t k = 0;
  do {
    out->ptr[Where(wheels, strides, offset)] = a.ptr[k++];
  } while (Turn(wheels, shape));
}

void ScalarSetitem(const size_t size, scalar_t val, AlignedArray* out, std::vector<int32_t> shape,
                   std::vector<int32_t> strides, size_t offset) {
  std::vector<int32_t> wheels(shape.size());
  for (size_t k = 0; k < size; k++) {
    out->ptr[Where(wheels, strides, offset)] = val;
    Turn(wheels, shape);
  }
}

void EwiseAdd(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) {
    out->ptr[i] = a.ptr[i] + b.ptr[i];
  }
}

void ScalarAdd(const AlignedArray& a, scalar_t val, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) {
    out->ptr[i] = a.ptr[i] + val;
  }
}

#define TWO(NAME, EXPRESSION)                                                     \
  void NAME(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) {    \
    for (size_t i = 0; i < a.size; i++) {                                         \
      const scalar_t x = a.ptr[i], y = b.ptr[i];                                  \
      out->ptr[i] = EXPRESSION;                                                   \
    }                                                                             \
  }
#define NUMBER(NAME, EXPRESSION)                                                  \
  void NAME(const AlignedArray& a, scalar_t y, AlignedArray* out) {               \
    for (size_t i = 0; i < a.size; i++) {                                         \
      const scalar_t x = a.ptr[i];                                                \
      out->ptr[i] = EXPRESSION;                                                   \
    }                                                                             \
  }
#define ONE(NAME, FUNCTION)                                                       \
  void NAME(const AlignedArray& a, AlignedArray* out) {                           \
    for (size_t i = 0; i < a.size; i++) out->ptr[i] = FUNCTION(a.ptr[i]);         \
  }
TWO(EwiseMul, x * y)
TWO(EwiseDiv, x / y)
TWO(EwiseMaximum, std::max(x, y))
TWO(EwiseEq, x == y)
TWO(EwiseGe, x >= y)
NUMBER(ScalarMul, x * y)
NUMBER(ScalarDiv, x / y)
NUMBER(ScalarPower, std::pow(x, y))
NUMBER(ScalarMaximum, std::max(x, y))
NUMBER(ScalarEq, x == y)
NUMBER(ScalarGe, x >= y)
ONE(EwiseLog, std::log)
ONE(EwiseExp, std::exp)
ONE(EwiseTanh, std::tanh)

void Matmul(const AlignedArray& a, const AlignedArray& b, AlignedArray* out, uint32_t m, uint32_t n, uint32_t p) {
  memset(out->ptr, 0, m * p * sizeof(scalar_t));
  for (uint32_t i = 0; i < m; i++)
    for (uint32_t j = 0; j < p; j++)
      for (uint32_t k = 0; k < n; k++) out->ptr[i * p + j] += a.ptr[i * n + k] * b.ptr[k * p + j];
}

inline void AlignedDot(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out) {
  a = (const float*)__builtin_assume_aligned(a, TILE * ELEM_SIZE);
  b = (const float*)__builtin_assume_aligned(b, TILE * ELEM_SIZE);
  out = (float*)__builtin_assume_aligned(out, TILE * ELEM_SIZE);
  for (uint32_t i = 0; i < TILE; i++)
    for (uint32_t j = 0; j < TILE; j++)
      for (uint32_t k = 0; k < TILE; k++) out[i * TILE + j] += a[i * TILE + k] * b[k * TILE + j];
}

void MatmulTiled(const AlignedArray& a, const AlignedArray& b, AlignedArray* out, uint32_t m, uint32_t n, uint32_t p) {
  m /= TILE;
  n /= TILE;
  p /= TILE;
  memset(out->ptr, 0, out->size * ELEM_SIZE);
  for (uint32_t i = 0; i < m; i++)
    for (uint32_t j = 0; j < p; j++)
      for (uint32_t k = 0; k < n; k++)
        AlignedDot(a.ptr + (i * n + k) * TILE * TILE, b.ptr + (k * p + j) * TILE * TILE, out->ptr + (i * p + j) * TILE * TILE);
}

void ReduceMax(const AlignedArray& a, AlignedArray* out, size_t reduce_size) {
  for (size_t i = 0; i < out->size; i++) {
    scalar_t best = std::numeric_limits<scalar_t>::lowest();
    for (size_t j = 0; j < reduce_size; j++) best = std::max(best, a.ptr[i * reduce_size + j]);
    out->ptr[i] = best;
  }
}

void ReduceSum(const AlignedArray& a, AlignedArray* out, size_t reduce_size) {
  for (size_t i = 0; i < out->size; i++) {
    out->ptr[i] = 0;
    for (size_t j = 0; j < reduce_size; j++) out->ptr[i] += a.ptr[i * reduce_size + j];
  }
}

}  // namespace cpu
}  // namespace needle

PYBIND11_MODULE(ndarray_backend_cpu, m) {
  namespace py = pybind11;
  using namespace needle;
  using namespace cpu;

  m.attr("__device_name__") = "cpu";
  m.attr("__tile_size__") = TILE;

  py::class_<AlignedArray>(m, "Array")
      .def(py::init<size_t>(), py::return_value_policy::take_ownership)
      .def("ptr", &AlignedArray::ptr_as_int)
      .def_readonly("size", &AlignedArray::size);

  m.def("to_numpy", [](const AlignedArray& a, std::vector<size_t> shape, std::vector<size_t> strides, size_t offset) {
    std::vector<size_t> in_bytes = strides;
    std::transform(in_bytes.begin(), in_bytes.end(), in_bytes.begin(), [](size_t& n) { return n * ELEM_SIZE; });
    return py::array_t<scalar_t>(shape, in_bytes, a.ptr + offset);
  });
  m.def("from_numpy", [](py::array_t<scalar_t> a, AlignedArray* out) {
    std::memcpy(out->ptr, a.request().ptr, out->size * ELEM_SIZE);
  });
  m.def("fill", Fill);
  m.def("compact", Compact);
  m.def("ewise_setitem", EwiseSetitem);
  m.def("scalar_setitem", ScalarSetitem);
  m.def("ewise_add", EwiseAdd);
  m.def("scalar_add", ScalarAdd);

  m.def("ewise_mul", EwiseMul);
  m.def("scalar_mul", ScalarMul);
  m.def("ewise_div", EwiseDiv);
  m.def("scalar_div", ScalarDiv);
  m.def("scalar_power", ScalarPower);
  m.def("ewise_maximum", EwiseMaximum);
  m.def("scalar_maximum", ScalarMaximum);
  m.def("ewise_eq", EwiseEq);
  m.def("scalar_eq", ScalarEq);
  m.def("ewise_ge", EwiseGe);
  m.def("scalar_ge", ScalarGe);
  m.def("ewise_log", EwiseLog);
  m.def("ewise_exp", EwiseExp);
  m.def("ewise_tanh", EwiseTanh);
  m.def("matmul", Matmul);
  m.def("matmul_tiled", MatmulTiled);
  m.def("reduce_max", ReduceMax);
  m.def("reduce_sum", ReduceSum);
}
