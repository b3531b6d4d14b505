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

template <typename Visit>
void ForEachPlace(const std::vector<uint32_t>& shape, const std::vector<uint32_t>& strides, size_t offset, Visit visit) {
  std::vector<uint32_t> index(shape.size(), 0);
  size_t place = offset, k = 0;
  while (true) {
    visit(k++, place);
    int d = (int)shape.size() - 1;
    for (; d >= 0; d--) {
      place += strides[d];
      if (++index[d] < shape[d]) break;
      place -= (size_t)shape[d] * strides[d];
      index[d] = 0;
    }
    if (d < 0) return;
  }
}

void Compact(const AlignedArray& a, AlignedArray* out, std::vector<uint32_t> shape, std::vector<uint32_t> strides,
             size_t offset) {
  ForEachPlace(shape, strides, offset, [&](size_t k, size_t place) { out->ptr[k] = a.ptr[place]; });
}

void EwiseSetitem(const AlignedArray& a, AlignedArray* out, std::vector<uint32_t> shape, std::vector<uint32_t> strides,
                  size_t offset) {
  ForEachPlace(shape, strides, offset, [&](size_t k, size_t place) { out->ptr[place] = a.ptr[k]; });
}

void ScalarSetitem(const size_t size, scalar_t val, AlignedArray* out, std::vector<uint32_t> shape,
                   std::vector<uint32_t> strides, size_t offset) {
  ForEachPlace(shape, strides, offset, [&](size_t, size_t place) { out->ptr[place] = val; });
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
void Binary(const AlignedArray& a, const AlignedArray& b, AlignedArray* out, F f) {
  std::transform(a.ptr, a.ptr + a.size, b.ptr, out->ptr, f);
}
template <typename F>
void Unary(const AlignedArray& a, AlignedArray* out, F f) {
  std::transform(a.ptr, a.ptr + a.size, out->ptr, f);
}

void EwiseMul(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) {
  Binary(a, b, out, std::multiplies<scalar_t>());
}
void EwiseDiv(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) {
  Binary(a, b, out, std::divides<scalar_t>());
}
void EwiseMaximum(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) {
  Binary(a, b, out, [](scalar_t x, scalar_t y) { return std::max(x, y); });
}
void EwiseEq(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) {
  Binary(a, b, out, std::equal_to<scalar_t>());
}
void EwiseGe(const AlignedArray& a, const AlignedArray& b, AlignedArray* out) {
  Binary(a, b, out, std::greater_equal<scalar_t>());
}
void ScalarMul(const AlignedArray& a, scalar_t val, AlignedArray* out) {
  Unary(a, out, [=](scalar_t x) { return x * val; });
}
void ScalarDiv(const AlignedArray& a, scalar_t val, AlignedArray* out) {
  Unary(a, out, [=](scalar_t x) { return x / val; });
}
void ScalarPower(const AlignedArray& a, scalar_t val, AlignedArray* out) {
  Unary(a, out, [=](scalar_t x) { return std::pow(x, val); });
}
void ScalarMaximum(const AlignedArray& a, scalar_t val, AlignedArray* out) {
  Unary(a, out, [=](scalar_t x) { return std::max(x, val); });
}
void ScalarEq(const AlignedArray& a, scalar_t val, AlignedArray* out) {
  Unary(a, out, [=](scalar_t x) { return scalar_t(x == val); });
}
void ScalarGe(const AlignedArray& a, scalar_t val, AlignedArray* out) {
  Unary(a, out, [=](scalar_t x) { return scalar_t(x >= val); });
}
void EwiseLog(const AlignedArray& a, AlignedArray* out) { Unary(a, out, [](scalar_t x) { return std::log(x); }); }
void EwiseExp(const AlignedArray& a, AlignedArray* out) { Unary(a, out, [](scalar_t x) { return std::exp(x); }); }
void EwiseTanh(const AlignedArray& a, AlignedArray* out) { Unary(a, out, [](scalar_t x) { return std::tanh(x); }); }

void Matmul(const AlignedArray& a, const AlignedArray& b, AlignedArray* out, uint32_t m, uint32_t n, uint32_t p) {
  Fill(out, 0.);
  for (uint32_t i = 0; i < m; ++i)
    for (uint32_t k = 0; k < n; ++k) {
      const scalar_t left = a.ptr[i * n + k];
      for (uint32_t j = 0; j < p; ++j) out->ptr[i * p + j] += left * b.ptr[k * p + j];
    }
}

inline void AlignedDot(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out) {
  a = (const float*)__builtin_assume_aligned(a, TILE * ELEM_SIZE);
  b = (const float*)__builtin_assume_aligned(b, TILE * ELEM_SIZE);
  out = (float*)__builtin_assume_aligned(out, TILE * ELEM_SIZE);
  for (size_t i = 0; i < TILE; ++i)
    for (size_t k = 0; k < TILE; ++k)
      for (size_t j = 0; j < TILE; ++j) out[i * TILE + j] += a[i * TILE + k] * b[k * TILE + j];
}

void MatmulTiled(const AlignedArray& a, const AlignedArray& b, AlignedArray* out, uint32_t m, uint32_t n, uint32_t p) {
  const uint32_t M = m / TILE, N = n / TILE, P = p / TILE, area = TILE * TILE;
  Fill(out, 0);
  for (uint32_t i = 0; i < M; ++i)
    for (uint32_t j = 0; j < P; ++j)
      for (uint32_t k = 0; k < N; ++k)
        AlignedDot(&a.ptr[(i * N + k) * area], &b.ptr[(k * P + j) * area], &out->ptr[(i * P + j) * area]);
}

void ReduceMax(const AlignedArray& a, AlignedArray* out, size_t reduce_size) {
  for (size_t i = 0; i < out->size; ++i) {
    const scalar_t* row = a.ptr + i * reduce_size;
    out->ptr[i] = *std::max_element(row, row + reduce_size);
  }
}

void ReduceSum(const AlignedArray& a, AlignedArray* out, size_t reduce_size) {
  for (size_t i = 0; i < out->size; ++i) {
    const scalar_t* row = a.ptr + i * reduce_size;
    out->ptr[i] = std::accumulate(row, row + reduce_size, scalar_t(0));
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
