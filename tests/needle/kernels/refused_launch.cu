// A launch that no device can make, then one that it can: LAUNCH must refuse the first by name and forget it.
#include <cstdio>

#include "../../../src/backend_cuda/device.cu"

__global__ void set_kernel(float* out) { out[threadIdx.x] = 1.0f; }

int main() {
  float* out = static_cast<float*>(needle::allocate(2048 * sizeof(float)));
  try {
    LAUNCH(set_kernel, 3, dim3(64, 32), out);
    std::puts("the launch passed unseen");
  } catch (const std::runtime_error& error) {
    std::puts(error.what());
  }
  LAUNCH(set_kernel, 1, 4, out);
  float host[4] = {};
  needle::copy_to_host(host, out, sizeof(host));
  std::printf("%g %g %g %g\n", host[0], host[1], host[2], host[3]);
  needle::release(out);
  return 0;
}
