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

uint32_t PlaceOf(size_t k, const std::vector<uint32_t>& shape, const std::vector<uint32_t>& strides, size_t offset) {
  size_t place = offset;
  for (size_t d = shape.size(); d > 0; d--) {
    place += (k % shape[d - 1]) * strides[d - 1];
    k /= shape[d - 1];
  }
  return place;
}

void Compact(const AlignedArray& a, AlignedArray* out, std::vector<uint32_t> shape, std::vector<uint32_t> strides,
             size_t offset) {
  /// BEGIN YOUR SOLUTION
  size_t total = 1;
  for (size_t i = 0; i < shape.size(); i++) total *= shape[i];
  for (size_t k = 0; k < total; k++) out->ptr[k] = a.ptr[PlaceOf(k, shape, strides, offset)];
  /// END YOUR SOLUTION
}

void EwiseSetitem(const AlignedArray& a, AlignedArray* out, std::vector<uint32_t> shape, std::vector<uint32_t> strides,
                  size_t offset) {
  /// BEGIN YOUR SOLUTION
  for (size_t k = 0; k < a.size; k++) out->ptr[PlaceOf(k, shape, strides, offset)] = a.ptr[k];
  /// END YOUR SOLUTION
}

void ScalarSetitem(const size_t size, scalar_t val, AlignedArray* out, std::vector<uint32_t> shape,
                   std::vector<uint32_t> strides, size_t offset) {
  /// BEGIN YOUR SOLUTION
  for (size_t k = 0; k < size; k++) out->ptr[PlaceOf(k, shape, strides, offset)] = val;
  /// END YOUR SOLUTION
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

void EwiseMul(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = a.ptr[i] * b.ptr[i];
}

void ScalarMul(const AlignedArray& a, scalar_t val, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = a.ptr[i] * val;
}

void EwiseDiv(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = a.ptr[i] / b.ptr[i];
}

void ScalarDiv(const AlignedArray& a, scalar_t val, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = a.ptr[i] / val;
}

void ScalarPower(const AlignedArray& a, scalar_t val, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = std::pow(a.ptr[i], val);
}

void EwiseMaximum(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = a.ptr[i] > b.ptr[i] ? a.ptr[i] : b.ptr[i];
}

void ScalarMaximum(const AlignedArray& a, scalar_t val, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = a.ptr[i] > val ? a.ptr[i] : val;
}

void EwiseEq(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = a.ptr[i] == b.ptr[i] ? 1 : 0;
}

void ScalarEq(const AlignedArray& a, scalar_t val, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = a.ptr[i] == val ? 1 : 0;
}

void EwiseGe(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = a.ptr[i] >= b.ptr[i] ? 1 : 0;
}

void ScalarGe(const AlignedArray& a, scalar_t val, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = a.ptr[i] >= val ? 1 : 0;
}

void EwiseLog(const AlignedArray& a, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = std::log(a.ptr[i]);
}

void EwiseExp(const AlignedArray& a, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = std::exp(a.ptr[i]);
}

void EwiseTanh(const AlignedArray& a, AlignedArray* out) {
  for (size_t i = 0; i < a.size; i++) out->ptr[i] = std::tanh(a.ptr[i]);
}

void Matmul(const AlignedArray& a, const AlignedArray& b, AlignedArray* out, uint32_t m, uint32_t n, uint32_t p) {
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < p; j++) {
      out->ptr[i * p + j] = 0;
      for (size_t k = 0; k < n; k++) out->ptr[i * p + j] += a.ptr[i * n + k] * b.ptr[k * p + j];
    }
  }
}

inline void AlignedDot(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out) {
  a = (const float*)__builtin_assume_aligned(a, TILE * ELEM_SIZE);
  b = (const float*)__builtin_assume_aligned(b, TILE * ELEM_SIZE);
  out = (float*)__builtin_assume_aligned(out, TILE * ELEM_SIZE);
  for (int i = 0; i < TILE; i++)
    for (int j = 0; j < TILE; j++)
      for (int k = 0; k < TILE; k++) out[i * TILE + j] += a[i * TILE + k] * b[k * TILE + j];
}

void MatmulTiled(const AlignedArray& a, const AlignedArray& b, AlignedArray* out, uint32_t m, uint32_t n, uint32_t p) {
  Fill(out, 0);
  for (size_t i = 0; i < m / TILE; i++)
    for (size_t j = 0; j < p / TILE; j++)
      for (size_t k = 0; k < n / TILE; k++)
        AlignedDot(a.ptr + (i * (n / TILE) + k) * TILE * TILE, b.ptr + (k * (p / TILE) + j) * TILE * TILE,
                   out->ptr + (i * (p / TILE) + j) * TILE * TILE);
}

void ReduceMax(const AlignedArray& a, AlignedArray* out, size_t reduce_size) {
  for (size_t i = 0; i < out->size; i++) {
    scalar_t best = a.ptr[i * reduce_size];
    for (size_t j = 1; j < reduce_size; j++)
      if (a.ptr[i * reduce_size + j] > best) best = a.ptr[i * reduce_size + j];
    out->ptr[i] = best;
  }
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

  // m.def("ewise_mul", EwiseMul);
  // m.def("scalar_mul", ScalarMul);
  // m.def("ewise_div", EwiseDiv);
  // m.def("scalar_div", ScalarDiv);
  // m.def("scalar_power", ScalarPower);
  // m.def("ewise_maximum", EwiseMaximum);
  // m.def("scalar_maximum", ScalarMaximum);
  // m.def("ewise_eq", EwiseEq);
  // m.def("scalar_eq", ScalarEq);
  // m.def("ewise_ge", EwiseGe);
  // m.def("scalar_ge", ScalarGe);
  // m.def("ewise_log", EwiseLog);
  // m.def("ewise_exp", EwiseExp);
  // m.def("ewise_tanh", EwiseTanh);
  // m.def("matmul", Matmul);
  // m.def("matmul_tiled", MatmulTiled);
  // m.def("reduce_max", ReduceMax);
  // m.def("reduce_sum", ReduceSum);
}
