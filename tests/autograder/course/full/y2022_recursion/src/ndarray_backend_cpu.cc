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

enum Move { READ, WRITE, SET };

void Walk(Move move, size_t axis, size_t place, size_t& k, const std::vector<int32_t>& shape,
          const std::vector<int32_t>& strides, const scalar_t* from, scalar_t* to, scalar_t val) {
  if (axis == shape.size()) {
    if (move == READ) {
      to[k++] = from[place];
    } else if (move == WRITE) {
      to[place] = from[k++];
    } else if (move == SET) {
      to[place] = val;
    } else {
      assert(false && "no such move");
    }
    return;
  }
  for (int32_t i = 0; i < shape[axis]; i++) Walk(move, axis + 1, place + i * strides[axis], k, shape, strides, from, to, val);
}

void Compact(const AlignedArray& a, AlignedArray* out, std::vector<int32_t> shape, std::vector<int32_t> strides,
             size_t offset) {
  size_t k = 0;
  Walk(READ, 0, offset, k, shape, strides, a.ptr, out->ptr, 0);
}

void EwiseSetitem(const AlignedArray& a, AlignedArray* out, std::vector<int32_t> shape, std::vector<int32_t> strides,
                  size_t offset) {
  size_t k = 0;
  Walk(WRITE, 0, offset, k, shape, strides, a.ptr, out->ptr, 0);
}

void ScalarSetitem(const size_t size, scalar_t val, AlignedArray* out, std::vector<int32_t> shape,
                   std::vector<int32_t> strides, size_t offset) {
  size_t k = 0;
  Walk(SET, 0, offset, k, shape, strides, nullptr, out->ptr, val);
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

typedef scalar_t (*Two)(scalar_t, scalar_t);
typedef scalar_t (*One)(scalar_t);

static scalar_t times(scalar_t x, scalar_t y) { return x * y; }
static scalar_t over(scalar_t x, scalar_t y) { return x / y; }
static scalar_t power(scalar_t x, scalar_t y) { return powf(x, y); }
static scalar_t larger(scalar_t x, scalar_t y) { return fmax(x, y); }
static scalar_t same(scalar_t x, scalar_t y) { return (scalar_t)(x == y); }
static scalar_t not_less(scalar_t x, scalar_t y) { return (scalar_t)(x >= y); }
static scalar_t ln(scalar_t x) { return logf(x); }
static scalar_t e_to(scalar_t x) { return expf(x); }
static scalar_t hyperbolic(scalar_t x) {
  scalar_t e = expf(x), f = expf(-x);
  return (e - f) / (e + f);
}

static void Both(const AlignedArray& a, const AlignedArray& b, AlignedArray* out, Two f) {
  for (size_t i = 0; i < out->size; i++) out->ptr[i] = f(a.ptr[i], b.ptr[i]);
}
static void Number(const AlignedArray& a, scalar_t val, AlignedArray* out, Two f) {
  for (size_t i = 0; i < out->size; i++) out->ptr[i] = f(a.ptr[i], val);
}
static void Each(const AlignedArray& a, AlignedArray* out, One f) {
  for (size_t i = 0; i < out->size; i++) out->ptr[i] = f(a.ptr[i]);
}

void EwiseMul(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) { Both(a, b, out, times); }
void EwiseDiv(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) { Both(a, b, out, over); }
void EwiseMaximum(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) { Both(a, b, out, larger); }
void EwiseEq(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) { Both(a, b, out, same); }
void EwiseGe(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) { Both(a, b, out, not_less); }
void ScalarMul(const AlignedArray& a, scalar_t val, AlignedArray* out) { Number(a, val, out, times); }
void ScalarDiv(const AlignedArray& a, scalar_t val, AlignedArray* out) { Number(a, val, out, over); }
void ScalarPower(const AlignedArray& a, scalar_t val, AlignedArray* out) { Number(a, val, out, power); }
void ScalarMaximum(const AlignedArray& a, scalar_t val, AlignedArray* out) { Number(a, val, out, larger); }
void ScalarEq(const AlignedArray& a, scalar_t val, AlignedArray* out) { Number(a, val, out, same); }
void ScalarGe(const AlignedArray& a, scalar_t val, AlignedArray* out) { Number(a, val, out, not_less); }
void EwiseLog(const AlignedArray& a, AlignedArray* out) { Each(a, out, ln); }
void EwiseExp(const AlignedArray& a, AlignedArray* out) { Each(a, out, e_to); }
void EwiseTanh(const AlignedArray& a, AlignedArray* out) { Each(a, out, hyperbolic); }

void Matmul(const AlignedArray& a, const AlignedArray& b, AlignedArray* out, uint32_t m, uint32_t n, uint32_t p) {
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t j = 0; j < p; j++) {
      scalar_t sum = 0;
      for (uint32_t k = 0; k < n; k++) sum += a.ptr[i * n + k] * b.ptr[j + k * p];
      out->ptr[i * p + j] = sum;
    }
  }
}

inline void AlignedDot(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out) {
  a = (const float*)__builtin_assume_aligned(a, TILE * ELEM_SIZE);
  b = (const float*)__builtin_assume_aligned(b, TILE * ELEM_SIZE);
  out = (float*)__builtin_assume_aligned(out, TILE * ELEM_SIZE);
  for (int i = 0; i < TILE; i++) {
    for (int j = 0; j < TILE; j++) {
      float sum = 0;
      for (int k = 0; k < TILE; k++) sum += a[i * TILE + k] * b[k * TILE + j];
      out[i * TILE + j] += sum;
    }
  }
}

void MatmulTiled(const AlignedArray& a, const AlignedArray& b, AlignedArray* out, uint32_t m, uint32_t n, uint32_t p) {
  for (size_t i = 0; i < out->size; i++) out->ptr[i] = 0;
  uint32_t tile = TILE * TILE;
  for (uint32_t i = 0; i < m / TILE; i++) {
    for (uint32_t j = 0; j < p / TILE; j++) {
      float* target = out->ptr + i * p * TILE + j * tile;
      for (uint32_t k = 0; k < n / TILE; k++)
        AlignedDot(a.ptr + i * n * TILE + k * tile, b.ptr + k * p * TILE + j * tile, target);
    }
  }
}

void ReduceMax(const AlignedArray& a, AlignedArray* out, size_t reduce_size) {
  for (size_t i = 0; i < out->size; i++) {
    out->ptr[i] = -INFINITY;
    for (size_t j = i * reduce_size; j < (i + 1) * reduce_size; j++) out->ptr[i] = fmax(out->ptr[i], a.ptr[j]);
  }
}

void ReduceSum(const AlignedArray& a, AlignedArray* out, size_t reduce_size) {
  Fill(out, 0);
  for (size_t j = 0; j < a.size; j++) out->ptr[j / reduce_size] += a.ptr[j];
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
