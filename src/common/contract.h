// The contract between Python and the kernels: all that a kernel file sees.
//
// A backend is a set of functions with these names and signatures, compiled into one module of its own. The table below
// is the only list of them in C++; bindings.cc and stubs.cc are written over it, and a test holds it equal to
// contract.py. Units: sizes, strides and offsets count elements (float32), never bytes. Kernels trust their arguments:
// the border (border.h) has checked sizes, layouts, devices and aliasing before any of them runs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace needle {

constexpr int kMaxRank = 32;  // the size of the arrays below; a backend may allow fewer (DeviceInfo::max_rank)

// How one flat buffer is seen as an array: index (i0, i1, ...) lies at offset + i0*strides[0] + i1*strides[1] + ...
// A plain value, so that a CUDA kernel can take it as an argument.
struct Layout {
  int32_t rank;
  int64_t shape[kMaxRank];
  int64_t strides[kMaxRank];
  int64_t offset;
};

// The number of indices of a layout: the product of its shape, 1 for rank 0.
#ifdef __CUDACC__
__host__ __device__
#endif
    inline int64_t count(const Layout& layout) {
  int64_t product = 1;
  for (int axis = 0; axis < layout.rank; axis++) product *= layout.shape[axis];
  return product;
}

// Thrown by an exercise that is not written yet; becomes a NotImplementedError that names exercise, file and line.
struct Unfinished : std::runtime_error {
  Unfinished(const char* exercise, const char* file, int line)
      : std::runtime_error(std::string(exercise) + " is unfinished: " + file + ":" + std::to_string(line) +
                           "; write it there, then: make check EX=" + exercise) {}
};
#define UNFINISHED(exercise) throw ::needle::Unfinished(exercise, __FILE__, __LINE__)

// The table: X(name, parameters, arguments). Grouped by family; a family is a file of every backend.
// clang-format off
#define NEEDLE_REQUIRED_FUNCTIONS(X)                                                                        \
  X(fill,           (float* out, float value, int64_t size),                  (out, value, size))           \
  X(compact,        (const float* a, float* out, Layout view),                (a, out, view))               \
  X(ewise_setitem,  (const float* a, float* out, Layout view),                (a, out, view))               \
  X(scalar_setitem, (float value, float* out, Layout view),                   (value, out, view))           \
  X(ewise_add,      (const float* a, const float* b, float* out, int64_t size), (a, b, out, size))          \
  X(ewise_mul,      (const float* a, const float* b, float* out, int64_t size), (a, b, out, size))          \
  X(ewise_div,      (const float* a, const float* b, float* out, int64_t size), (a, b, out, size))          \
  X(ewise_maximum,  (const float* a, const float* b, float* out, int64_t size), (a, b, out, size))          \
  X(ewise_eq,       (const float* a, const float* b, float* out, int64_t size), (a, b, out, size))          \
  X(ewise_ge,       (const float* a, const float* b, float* out, int64_t size), (a, b, out, size))          \
  X(ewise_log,      (const float* a, float* out, int64_t size),               (a, out, size))               \
  X(ewise_exp,      (const float* a, float* out, int64_t size),               (a, out, size))               \
  X(ewise_tanh,     (const float* a, float* out, int64_t size),               (a, out, size))               \
  X(scalar_add,     (const float* a, float value, float* out, int64_t size),  (a, value, out, size))        \
  X(scalar_mul,     (const float* a, float value, float* out, int64_t size),  (a, value, out, size))        \
  X(scalar_div,     (const float* a, float value, float* out, int64_t size),  (a, value, out, size))        \
  X(scalar_power,   (const float* a, float value, float* out, int64_t size),  (a, value, out, size))        \
  X(scalar_maximum, (const float* a, float value, float* out, int64_t size),  (a, value, out, size))        \
  X(scalar_eq,      (const float* a, float value, float* out, int64_t size),  (a, value, out, size))        \
  X(scalar_ge,      (const float* a, float value, float* out, int64_t size),  (a, value, out, size))        \
  X(reduce_max,     (const float* a, float* out, int64_t out_size, int64_t reduce_size), (a, out, out_size, reduce_size)) \
  X(reduce_sum,     (const float* a, float* out, int64_t out_size, int64_t reduce_size), (a, out, out_size, reduce_size)) \
  X(matmul,         (const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p), (a, b, out, m, n, p))

#define NEEDLE_OPTIONAL_FUNCTIONS(X)                                                                        \
  X(matmul_tiled,   (const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p), (a, b, out, m, n, p)) \
  X(ewise_power,    (const float* a, const float* b, float* out, int64_t size), (a, b, out, size))
// clang-format on

#define NEEDLE_DECLARE(name, parameters, arguments) void name parameters;
NEEDLE_REQUIRED_FUNCTIONS(NEEDLE_DECLARE)
NEEDLE_OPTIONAL_FUNCTIONS(NEEDLE_DECLARE)
#undef NEEDLE_DECLARE

// What a backend is, and how its memory is reached: defined once per backend, in device.cc or device.cu.
struct DeviceInfo {
  const char* name;       // "cpu", "cuda"
  int tile_size;          // side of the tiles of matmul_tiled, in elements
  int max_rank;           // more axes than this are refused at the border
  bool has_matmul_tiled;  // exports that optional function
  bool host_memory;  // the host can read what allocate() returns, so to_numpy need not copy the whole allocation first
};
extern const DeviceInfo device_info;
void* allocate(size_t size_bytes);  // throws std::bad_alloc with the border adding the size; nullptr only for 0 bytes
void release(void* pointer);
void copy_to_host(float* host, const float* device, size_t size_bytes);
void copy_from_host(float* device, const float* host, size_t size_bytes);

}  // namespace needle
