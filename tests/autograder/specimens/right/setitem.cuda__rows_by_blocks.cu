// One block for each run along the last axis; its threads stride over the run.
// expect: passed
#include "device.cuh"

namespace needle {

template <typename Source>
__global__ void store_kernel(Source source, float* out, Layout view) {
  const int last = view.rank - 1;
  const int64_t length = view.rank ? view.shape[last] : 1, step = view.rank ? view.strides[last] : 0;
  int64_t rest = blockIdx.x, start = view.offset;
  for (int axis = last - 1; axis >= 0; rest /= view.shape[axis--])
    start += rest % view.shape[axis] * view.strides[axis];
  for (int64_t i = threadIdx.x; i < length; i += blockDim.x) out[start + i * step] = source(blockIdx.x * length + i);
}

struct FromArray {
  const float* a;
  __device__ float operator()(int64_t k) const { return a[k]; }
};
struct Constant {
  float value;
  __device__ float operator()(int64_t) const { return value; }
};

template <typename Source>
void store(Source source, float* out, const Layout& view) {
  const int64_t runs = view.rank ? count(view) / view.shape[view.rank - 1] : 1;
  LAUNCH(store_kernel, static_cast<unsigned>(runs), 64, source, out, view);
}

void ewise_setitem(const float* a, float* out, Layout view) { store(FromArray{a}, out, view); }
void scalar_setitem(float value, float* out, Layout view) { store(Constant{value}, out, view); }

}  // namespace needle
