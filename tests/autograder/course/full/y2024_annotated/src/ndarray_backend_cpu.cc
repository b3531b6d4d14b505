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

// Row-major strides of a shape: what dividing k by them gives is the index.
std::vector<long long> CompactStrides(const std::vector<int32_t>& shape) {
  std::vector<long long> strides(shape.size(), 1);
  for (long long d = (long long)shape.size() - 2; d >= 0; d--) strides[d] = strides[d + 1] * shape[d + 1];
  return strides;
}

long long Place(long long k, const std::vector<long long>& whole, const std::vector<int32_t>& strides, size_t offset) {
  long long place = offset;
  for (size_t d = 0; d < whole.size(); d++) {
    place += k / whole[d] * strides[d];
    k %= whole[d];
  }
  return place;
}

void Compact(const AlignedArray& a, AlignedArray* out, std::vector<int32_t> shape, std::vector<int32_t> strides,
             size_t offset) {
  /// BEGIN SOLUTION
  const auto whole = CompactStrides(shape);
  for (size_t k = 0; k < out->size; k++) out->ptr[k] = a.ptr[Place(k, whole, strides, offset)];
  /// END SOLUTION
}

void EwiseSetitem(const AlignedArray& a, AlignedArray* out, std::vector<int32_t> shape, std::vector<int32_t> strides,
                  size_t offset) {
  /// BEGIN SOLUTION
  const auto whole = CompactStrides(shape);
  for (size_t k = 0; k < a.size; k++) out->ptr[Place(k, whole, strides, offset)] = a.ptr[k];
  /// END SOLUTION
}

void ScalarSetitem(const size_t size, scalar_t val, AlignedArray* out, std::vector<int32_t> shape,
                   std::vector<int32_t> strides, size_t offset) {
  /// BEGIN SOLUTION
  const auto whole = CompactStrides(shape);
  for (size_t k = 0; k < size; k++) out->ptr[Place(k, whole, strides, offset)] = val;
  /// END SOLUTION
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

template <typename F>
static void Apply(size_t size, scalar_t* out, const F& f) {
  for (size_t i = 0; i < size; i++) out[i] = static_cast<scalar_t>(f(i));
}
#define A a.ptr[i]
#define B b.ptr[i]
#define BINARY(NAME, E) \
  void Ewise##NAME(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) { Apply(a.size, out->ptr, [&](size_t i) { return E; }); }
#define SCALAR(NAME, E) \
  void Scalar##NAME(const AlignedArray& a, scalar_t val, AlignedArray* out) { Apply(a.size, out->ptr, [&](size_t i) { return E; }); }
#define UNARY(NAME, E) \
  void Ewise##NAME(const AlignedArray& a, AlignedArray* out) { Apply(a.size, out->ptr, [&](size_t i) { return E; }); }
BINARY(Mul, A * B)
BINARY(Div, A / B)
BINARY(Maximum, A < B ? B : A)
BINARY(Eq, A == B)
BINARY(Ge, !(A < B))
SCALAR(Mul, A * val)
SCALAR(Div, A / val)
SCALAR(Power, std::pow((double)A, (double)val))
SCALAR(Maximum, A < val ? val : A)
SCALAR(Eq, A == val)
SCALAR(Ge, !(A < val))
UNARY(Log, std::log((double)A))
UNARY(Exp, std::exp((double)A))
UNARY(Tanh, std::tanh((double)A))
#undef A
#undef B

void Matmul(const AlignedArray& a, const AlignedArray& b, AlignedArray* out, uint32_t m, uint32_t n, uint32_t p) {
  for (uint32_t i = 0; i < m; i++)
    for (uint32_t j = 0; j < p; j++) {
      double sum = 0;
      for (uint32_t k = 0; k < n; k++) sum += (double)a.ptr[i * n + k] * b.ptr[k * p + j];
      out->ptr[i * p + j] = sum;
    }
}

inline void AlignedDot(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out) {
  a = (const float*)__builtin_assume_aligned(a, TILE * ELEM_SIZE);
  b = (const float*)__builtin_assume_aligned(b, TILE * ELEM_SIZE);
  out = (float*)__builtin_assume_aligned(out, TILE * ELEM_SIZE);
  for (int k = 0; k < TILE; k++)
    for (int i = 0; i < TILE; i++)
      for (int j = 0; j < TILE; j++) out[i * TILE + j] += a[i * TILE + k] * b[k * TILE + j];
}

void MatmulTiled(const AlignedArray& a, const AlignedArray& b, AlignedArray* out, uint32_t m, uint32_t n, uint32_t p) {
  std::fill(out->ptr, out->ptr + out->size, 0);
  const auto tile = [](const AlignedArray& of, uint32_t columns, uint32_t i, uint32_t j) {
    return of.ptr + (i * (columns / TILE) + j) * TILE * TILE;
  };
  for (uint32_t k = 0; k < n / TILE; k++)
    for (uint32_t i = 0; i < m / TILE; i++)
      for (uint32_t j = 0; j < p / TILE; j++) AlignedDot(tile(a, n, i, k), tile(b, p, k, j), tile(*out, p, i, j));
}

void ReduceMax(const AlignedArray& a, AlignedArray* out, size_t reduce_size) {
  for (size_t i = 0; i < out->size; i++) {
    scalar_t best = -std::numeric_limits<scalar_t>::infinity();
    for (size_t j = 0; j < reduce_size; j++) {
      const scalar_t x = a.ptr[i * reduce_size + j];
      best = best < x ? x : best;
    }
    out->ptr[i] = best;
  }
}

void ReduceSum(const AlignedArray& a, AlignedArray* out, size_t reduce_size) {
  for (size_t i = 0; i < out->size; i++) {
    double sum = 0;
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
