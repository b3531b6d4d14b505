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

using namespace std;

vector<size_t> Places(const vector<int32_t> &shape, const vector<int32_t> &strides, size_t offset) {
	vector<size_t> places(1, offset);
	for (size_t d = 0; d < shape.size(); ++d) {
		vector<size_t> longer;
		longer.reserve(places.size() * shape[d]);
		for (size_t place : places)
			for (int32_t i = 0; i < shape[d]; ++i) longer.push_back(place + i * strides[d]);
		places.swap(longer);
	}
	return places;
}

void Compact(const AlignedArray &a, AlignedArray *out, vector<int32_t> shape, vector<int32_t> strides, size_t offset) {
	scalar_t *to = out->ptr;
	for (size_t place : Places(shape, strides, offset)) *to++ = *(a.ptr + place);
}

void EwiseSetitem(const AlignedArray &a, AlignedArray *out, vector<int32_t> shape, vector<int32_t> strides, size_t offset) {
	const scalar_t *from = a.ptr;
	for (size_t place : Places(shape, strides, offset)) out->ptr[place] = *from++;
}

void ScalarSetitem(const size_t size, scalar_t val, AlignedArray *out, vector<int32_t> shape, vector<int32_t> strides,
                   size_t offset) {
	for (auto place : Places(shape, strides, offset)) out->ptr[place] = val;
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

void EwiseMul(const AlignedArray &a, const AlignedArray &b, AlignedArray *out) {
	for (scalar_t *p = a.ptr, *q = b.ptr, *r = out->ptr; p != a.ptr + a.size; ++p, ++q, ++r) {
		scalar_t x = *p, y = *q;
		*r = x * y;
	}
}

void ScalarMul(const AlignedArray &a, scalar_t y, AlignedArray *out) {
	for (scalar_t *p = a.ptr, *r = out->ptr; p != a.ptr + a.size; ++p, ++r) {
		scalar_t x = *p;
		*r = x * y;
	}
}

void EwiseDiv(const AlignedArray &a, const AlignedArray &b, AlignedArray *out) {
	for (scalar_t *p = a.ptr, *q = b.ptr, *r = out->ptr; p != a.ptr + a.size; ++p, ++q, ++r) {
		scalar_t x = *p, y = *q;
		*r = x / y;
	}
}

void ScalarDiv(const AlignedArray &a, scalar_t y, AlignedArray *out) {
	for (scalar_t *p = a.ptr, *r = out->ptr; p != a.ptr + a.size; ++p, ++r) {
		scalar_t x = *p;
		*r = x / y;
	}
}

void EwiseMaximum(const AlignedArray &a, const AlignedArray &b, AlignedArray *out) {
	for (scalar_t *p = a.ptr, *q = b.ptr, *r = out->ptr; p != a.ptr + a.size; ++p, ++q, ++r) {
		scalar_t x = *p, y = *q;
		*r = max(x, y);
	}
}

void ScalarMaximum(const AlignedArray &a, scalar_t y, AlignedArray *out) {
	for (scalar_t *p = a.ptr, *r = out->ptr; p != a.ptr + a.size; ++p, ++r) {
		scalar_t x = *p;
		*r = max(x, y);
	}
}

void EwiseEq(const AlignedArray &a, const AlignedArray &b, AlignedArray *out) {
	for (scalar_t *p = a.ptr, *q = b.ptr, *r = out->ptr; p != a.ptr + a.size; ++p, ++q, ++r) {
		scalar_t x = *p, y = *q;
		*r = (x == y) ? 1.0f : 0.0f;
	}
}

void ScalarEq(const AlignedArray &a, scalar_t y, AlignedArray *out) {
	for (scalar_t *p = a.ptr, *r = out->ptr; p != a.ptr + a.size; ++p, ++r) {
		scalar_t x = *p;
		*r = (x == y) ? 1.0f : 0.0f;
	}
}

void EwiseGe(const AlignedArray &a, const AlignedArray &b, AlignedArray *out) {
	for (scalar_t *p = a.ptr, *q = b.ptr, *r = out->ptr; p != a.ptr + a.size; ++p, ++q, ++r) {
		scalar_t x = *p, y = *q;
		*r = (x >= y) ? 1.0f : 0.0f;
	}
}

void ScalarGe(const AlignedArray &a, scalar_t y, AlignedArray *out) {
	for (scalar_t *p = a.ptr, *r = out->ptr; p != a.ptr + a.size; ++p, ++r) {
		scalar_t x = *p;
		*r = (x >= y) ? 1.0f : 0.0f;
	}
}

void ScalarPower(const AlignedArray &a, scalar_t y, AlignedArray *out) {
	transform(a.ptr, a.ptr + a.size, out->ptr, [y](scalar_t x) { return pow(x, y); });
}

void EwiseLog(const AlignedArray &a, AlignedArray *out) {
	transform(a.ptr, a.ptr + a.size, out->ptr, [](scalar_t x) { return log(x); });
}

void EwiseExp(const AlignedArray &a, AlignedArray *out) {
	transform(a.ptr, a.ptr + a.size, out->ptr, [](scalar_t x) { return exp(x); });
}

void EwiseTanh(const AlignedArray &a, AlignedArray *out) {
	transform(a.ptr, a.ptr + a.size, out->ptr, [](scalar_t x) { return tanh(x); });
}

void Matmul(const AlignedArray &a, const AlignedArray &b, AlignedArray *out, uint32_t m, uint32_t n, uint32_t p) {
	scalar_t *r = out->ptr;
	for (uint32_t i = 0; i < m; ++i)
		for (uint32_t j = 0; j < p; ++j, ++r) {
			*r = 0;
			for (const scalar_t *x = a.ptr + i * n, *y = b.ptr + j; x != a.ptr + (i + 1) * n; ++x, y += p) *r += *x * *y;
		}
}

inline void AlignedDot(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out) {
	a = (const float *)__builtin_assume_aligned(a, TILE * ELEM_SIZE);
	b = (const float *)__builtin_assume_aligned(b, TILE * ELEM_SIZE);
	out = (float *)__builtin_assume_aligned(out, TILE * ELEM_SIZE);
	for (int i = 0; i < TILE; ++i)
		for (int k = 0; k < TILE; ++k)
			for (int j = 0; j < TILE; ++j) out[i * TILE + j] += a[i * TILE + k] * b[k * TILE + j];
}

void MatmulTiled(const AlignedArray &a, const AlignedArray &b, AlignedArray *out, uint32_t m, uint32_t n, uint32_t p) {
	fill(out->ptr, out->ptr + out->size, 0.0f);
	float one[TILE * TILE] __attribute__((aligned(ALIGNMENT)));
	for (uint32_t i = 0; i < m / TILE; ++i)
		for (uint32_t j = 0; j < p / TILE; ++j) {
			memset(one, 0, sizeof(one));
			for (uint32_t k = 0; k < n / TILE; ++k)
				AlignedDot(a.ptr + (i * (n / TILE) + k) * TILE * TILE, b.ptr + (k * (p / TILE) + j) * TILE * TILE, one);
			memcpy(out->ptr + (i * (p / TILE) + j) * TILE * TILE, one, sizeof(one));
		}
}

void ReduceMax(const AlignedArray &a, AlignedArray *out, size_t reduce_size) {
	const scalar_t *row = a.ptr;
	for (size_t i = 0; i < out->size; ++i, row += reduce_size) out->ptr[i] = *max_element(row, row + reduce_size);
}

void ReduceSum(const AlignedArray &a, AlignedArray *out, size_t reduce_size) {
	const scalar_t *row = a.ptr;
	for (size_t i = 0; i < out->size; ++i, row += reduce_size) out->ptr[i] = accumulate(row, row + reduce_size, 0.0f);
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
