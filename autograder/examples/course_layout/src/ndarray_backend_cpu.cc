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
  AlignedArray(const size_t n) {
    if (posix_memalign((void**)&ptr, ALIGNMENT, n * ELEM_SIZE) != 0) throw std::bad_alloc();
    size = n;
  }
  ~AlignedArray() { free(ptr); }
  size_t ptr_as_int() { return (size_t)ptr; }
  scalar_t* ptr;
  size_t size;
};

void Fill(AlignedArray* out, scalar_t val) {
  for (size_t i = 0; i < out->size; i++) out->ptr[i] = val;
}

// One step of the odometer; false when every wheel is back at zero.
bool Advance(std::vector<int32_t>& index, const std::vector<int32_t>& shape) {
  for (int axis = (int)shape.size() - 1; axis >= 0; axis--) {
    if (++index[axis] < shape[axis]) return true;
    index[axis] = 0;
  }
  return false;
}

size_t Position(const std::vector<int32_t>& index, const std::vector<int32_t>& strides, size_t offset) {
  size_t position = offset;
  for (size_t axis = 0; axis < index.size(); axis++) position += index[axis] * strides[axis];
  return position;
}

void Compact(const AlignedArray& a, AlignedArray* out, std::vector<int32_t> shape, std::vector<int32_t> strides,
             size_t offset) {
  std::vector<int32_t> index(shape.size(), 0);
  size_t k = 0;
  do out->ptr[k++] = a.ptr[Position(index, strides, offset)];
  while (Advance(index, shape));
}

void EwiseSetitem(const AlignedArray& a, AlignedArray* out, std::vector<int32_t> shape, std::vector<int32_t> strides,
                  size_t offset) {
  std::vector<int32_t> index(shape.size(), 0);
  size_t k = 0;
  do out->ptr[Position(index, strides, offset)] = a.ptr[k++];
  while (Advance(index, shape));
}

void ScalarSetitem(const size_t size, scalar_t val, AlignedArray* out, std::vector<int32_t> shape,
                   std::vector<int32_t> strides, size_t offset) {
  std::vector<int32_t> index(shape.size(), 0);
  do out->ptr[Position(index, strides, offset)] = val;
  while (Advance(index, shape));
}

void EwiseAdd(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = a.ptr[i] + b.ptr[i];
}
void ScalarAdd(const AlignedArray& a, scalar_t val, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = a.ptr[i] + val;
}

#define EWISE(NAME, RESULT)                                                          \
  void Ewise##NAME(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) { \
    for (size_t i = 0; i < a.size; i++) {                                            \
      scalar_t x = a.ptr[i], y = b.ptr[i];                                           \
      out->ptr[i] = RESULT;                                                          \
    }                                                                                \
  }                                                                                  \
  void Scalar##NAME(const AlignedArray& a, scalar_t y, AlignedArray* out) {          \
    for (size_t i = 0; i < a.size; i++) {                                            \
      scalar_t x = a.ptr[i];                                                         \
      out->ptr[i] = RESULT;                                                          \
    }                                                                                \
  }
EWISE(Mul, x * y)
EWISE(Div, x / y)
EWISE(Maximum, std::max(x, y))
EWISE(Eq, x == y)
EWISE(Ge, x >= y)
EWISE(Power, std::pow(x, y))

#define FUNCTION(NAME, F)                                             \
  void Ewise##NAME(const AlignedArray& a, AlignedArray* out) {        \
    for (size_t i = 0; i < a.size; i++) out->ptr[i] = F(a.ptr[i]);    \
  }
FUNCTION(Log, std::log)
FUNCTION(Exp, std::exp)
FUNCTION(Tanh, std::tanh)

void Matmul(const AlignedArray& a, const AlignedArray& b, AlignedArray* out, uint32_t m, uint32_t n, uint32_t p) {
  Fill(out, 0);
  for (uint32_t i = 0; i < m; i++)
    for (uint32_t k = 0; k < n; k++)
      for (uint32_t j = 0; j < p; j++) out->ptr[i * p + j] += a.ptr[i * n + k] * b.ptr[k * p + j];
}

inline void AlignedDot(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out) {
  a = (const float*)__builtin_assume_aligned(a, TILE * ELEM_SIZE);
  b = (const float*)__builtin_assume_aligned(b, TILE * ELEM_SIZE);
  out = (float*)__builtin_assume_aligned(out, TILE * ELEM_SIZE);
  for (int i = 0; i < TILE; i++)
    for (int k = 0; k < TILE; k++)
      for (int j = 0; j < TILE; j++) out[i * TILE + j] += a[i * TILE + k] * b[k * TILE + j];
}

void MatmulTiled(const AlignedArray& a, const AlignedArray& b, AlignedArray* out, uint32_t m, uint32_t n, uint32_t p) {
  Fill(out, 0);
  for (uint32_t i = 0; i < m / TILE; i++)
    for (uint32_t j = 0; j < p / TILE; j++)
      for (uint32_t k = 0; k < n / TILE; k++)
        AlignedDot(a.ptr + (i * (n / TILE) + k) * TILE * TILE, b.ptr + (k * (p / TILE) + j) * TILE * TILE,
                   out->ptr + (i * (p / TILE) + j) * TILE * TILE);
}

void ReduceMax(const AlignedArray& a, AlignedArray* out, size_t reduce_size) {
  for (size_t i = 0; i < out->size; i++)
    out->ptr[i] = *std::max_element(a.ptr + i * reduce_size, a.ptr + (i + 1) * reduce_size);
}

void ReduceSum(const AlignedArray& a, AlignedArray* out, size_t reduce_size) {
  for (size_t i = 0; i < out->size; i++) {
    scalar_t sum = 0;
    for (size_t j = 0; j < reduce_size; j++) sum += a.ptr[i * reduce_size + j];
    out->ptr[i] = sum;
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

  m.def("fill", Fill);
  m.def("compact", Compact);
  m.def("ewise_setitem", EwiseSetitem);
  m.def("scalar_setitem", ScalarSetitem);
  m.def("ewise_add", EwiseAdd);
  m.def("scalar_add", ScalarAdd);

  // m.def("ewise_mul", EwiseMul);
  // m.def("scalar_mul", ScalarMul);
  // m.def("matmul", Matmul);
  // m.def("matmul_tiled", MatmulTiled);
  // m.def("reduce_max", ReduceMax);
  // m.def("reduce_sum", ReduceSum);
}
