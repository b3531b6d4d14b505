// Family ewise: one operation on every element, of two arrays or of one.
//
// Shapes: a, b and out have size elements each, size > 0.
// Memory: flat buffers on the device, index by index; out may be the same buffer as a or b.
#include "device.cuh"

namespace needle {

// One thread per element; the threads of the last block without an element do nothing.
__global__ void ewise_add_kernel(const float* a, const float* b, float* out, int64_t size) {
  const int64_t i = global_index();
  if (i < size) out[i] = a[i] + b[i];
}

// out[i] = a[i] + b[i]. Given, as the example for the functions below.
void ewise_add(const float* a, const float* b, float* out, int64_t size) {
  LAUNCH(ewise_add_kernel, blocks_for(size), kThreads, a, b, out, size);
}

// BEGIN SOLUTION ewise.cuda (kernel)
// One kernel for all operations of a kind; the operation is a template argument, so it is inlined.
// clang-format off
struct Mul { __device__ float operator()(float a, float b) const { return a * b; } };
struct Div { __device__ float operator()(float a, float b) const { return a / b; } };
struct Maximum { __device__ float operator()(float a, float b) const { return a > b || isnan(a) ? a : b; } };
struct Eq { __device__ float operator()(float a, float b) const { return a == b ? 1.0f : 0.0f; } };
struct Ge { __device__ float operator()(float a, float b) const { return a >= b ? 1.0f : 0.0f; } };
struct Log { __device__ float operator()(float a) const { return logf(a); } };
struct Exp { __device__ float operator()(float a) const { return expf(a); } };
struct Tanh { __device__ float operator()(float a) const { return tanhf(a); } };
// clang-format on

template <typename Operation>
__global__ void binary_kernel(const float* a, const float* b, float* out, int64_t size) {
  const int64_t i = global_index();
  if (i < size) out[i] = Operation()(a[i], b[i]);
}

template <typename Operation>
__global__ void unary_kernel(const float* a, float* out, int64_t size) {
  const int64_t i = global_index();
  if (i < size) out[i] = Operation()(a[i]);
}
// END SOLUTION ewise.cuda

// out[i] = a[i] * b[i].
void ewise_mul(const float* a, const float* b, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cuda
  LAUNCH(binary_kernel<Mul>, blocks_for(size), kThreads, a, b, out, size);
  // END SOLUTION ewise.cuda
}

// out[i] = a[i] / b[i]; IEEE arithmetic: x/0 is inf or NaN, never an error.
void ewise_div(const float* a, const float* b, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cuda
  LAUNCH(binary_kernel<Div>, blocks_for(size), kThreads, a, b, out, size);
  // END SOLUTION ewise.cuda
}

// out[i] = the larger of a[i] and b[i]; NaN where either is NaN (NumPy's maximum), whatever their order.
void ewise_maximum(const float* a, const float* b, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cuda
  LAUNCH(binary_kernel<Maximum>, blocks_for(size), kThreads, a, b, out, size);
  // END SOLUTION ewise.cuda
}

// out[i] = 1 where a[i] == b[i], else 0; NaN equals nothing.
void ewise_eq(const float* a, const float* b, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cuda
  LAUNCH(binary_kernel<Eq>, blocks_for(size), kThreads, a, b, out, size);
  // END SOLUTION ewise.cuda
}

// out[i] = 1 where a[i] >= b[i], else 0; a comparison with NaN is 0.
void ewise_ge(const float* a, const float* b, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cuda
  LAUNCH(binary_kernel<Ge>, blocks_for(size), kThreads, a, b, out, size);
  // END SOLUTION ewise.cuda
}

// out[i] = the natural logarithm of a[i]; -inf at 0, NaN below.
void ewise_log(const float* a, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cuda
  LAUNCH(unary_kernel<Log>, blocks_for(size), kThreads, a, out, size);
  // END SOLUTION ewise.cuda
}

// out[i] = e to the power a[i].
void ewise_exp(const float* a, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cuda
  LAUNCH(unary_kernel<Exp>, blocks_for(size), kThreads, a, out, size);
  // END SOLUTION ewise.cuda
}

// out[i] = the hyperbolic tangent of a[i].
void ewise_tanh(const float* a, float* out, int64_t size) {
  // BEGIN SOLUTION ewise.cuda
  LAUNCH(unary_kernel<Tanh>, blocks_for(size), kThreads, a, out, size);
  // END SOLUTION ewise.cuda
}

}  // namespace needle
