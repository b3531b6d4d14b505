// Family scalar: one operation on every element and the same number.
//
// Shapes: a and out have size elements each, size > 0.
// Memory: flat buffers on the device, index by index; out may be the same buffer as a. `value` reaches a kernel as an
// argument.
#include "device.cuh"

namespace needle {

// One thread per element; the threads of the last block without an element do nothing.
__global__ void scalar_add_kernel(const float* a, float value, float* out, int64_t size) {
  const int64_t i = global_index();
  if (i < size) out[i] = a[i] + value;
}

// out[i] = a[i] + value. Given, as the example for the functions below.
void scalar_add(const float* a, float value, float* out, int64_t size) {
  LAUNCH(scalar_add_kernel, blocks_for(size), kThreads, a, value, out, size);
}

// BEGIN SOLUTION scalar.cuda (kernel)
// One kernel for all operations; the operation is a template argument, so it is inlined.
// clang-format off
struct Mul { __device__ float operator()(float a, float value) const { return a * value; } };
struct Div { __device__ float operator()(float a, float value) const { return a / value; } };
struct Power { __device__ float operator()(float a, float value) const { return powf(a, value); } };
struct Maximum { __device__ float operator()(float a, float value) const { return a > value || isnan(a) ? a : value; } };
struct Eq { __device__ float operator()(float a, float value) const { return a == value ? 1.0f : 0.0f; } };
struct Ge { __device__ float operator()(float a, float value) const { return a >= value ? 1.0f : 0.0f; } };
// clang-format on

template <typename Operation>
__global__ void scalar_kernel(const float* a, float value, float* out, int64_t size) {
  const int64_t i = global_index();
  if (i < size) out[i] = Operation()(a[i], value);
}
// END SOLUTION scalar.cuda

// out[i] = a[i] * value.
void scalar_mul(const float* a, float value, float* out, int64_t size) {
  // BEGIN SOLUTION scalar.cuda
  LAUNCH(scalar_kernel<Mul>, blocks_for(size), kThreads, a, value, out, size);
  // END SOLUTION scalar.cuda
}

// out[i] = a[i] / value; IEEE arithmetic: x/0 is inf or NaN, never an error.
void scalar_div(const float* a, float value, float* out, int64_t size) {
  // BEGIN SOLUTION scalar.cuda
  LAUNCH(scalar_kernel<Div>, blocks_for(size), kThreads, a, value, out, size);
  // END SOLUTION scalar.cuda
}

// out[i] = a[i] to the power value, a real power: a negative base with a fractional exponent is NaN, x to the power 0
// is 1.
void scalar_power(const float* a, float value, float* out, int64_t size) {
  // BEGIN SOLUTION scalar.cuda
  LAUNCH(scalar_kernel<Power>, blocks_for(size), kThreads, a, value, out, size);
  // END SOLUTION scalar.cuda
}

// out[i] = the larger of a[i] and value; NaN where either is NaN (NumPy's maximum), whatever their order.
void scalar_maximum(const float* a, float value, float* out, int64_t size) {
  // BEGIN SOLUTION scalar.cuda
  LAUNCH(scalar_kernel<Maximum>, blocks_for(size), kThreads, a, value, out, size);
  // END SOLUTION scalar.cuda
}

// out[i] = 1 where a[i] == value, else 0; NaN equals nothing.
void scalar_eq(const float* a, float value, float* out, int64_t size) {
  // BEGIN SOLUTION scalar.cuda
  LAUNCH(scalar_kernel<Eq>, blocks_for(size), kThreads, a, value, out, size);
  // END SOLUTION scalar.cuda
}

// out[i] = 1 where a[i] >= value, else 0; a comparison with NaN is 0.
void scalar_ge(const float* a, float value, float* out, int64_t size) {
  // BEGIN SOLUTION scalar.cuda
  LAUNCH(scalar_kernel<Ge>, blocks_for(size), kThreads, a, value, out, size);
  // END SOLUTION scalar.cuda
}

}  // namespace needle
