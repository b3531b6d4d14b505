// The memory of the CUDA backend, and the words of its errors.
#include <new>

#include "device.cuh"

namespace needle {

#ifdef __CUDASIM__  // the same files, compiled for the simulator
#define DEVICE_NAME "cuda_sim"
#else
#define DEVICE_NAME "cuda"
#endif

const DeviceInfo device_info = {DEVICE_NAME, kTile, kCudaMaxRank, /*has_matmul_tiled=*/false, /*host_memory=*/false};

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // so that the next operation does not report this error again
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

void check_launch(const char* kernel, dim3 grid, dim3 block) {
  const cudaError_t status = cudaGetLastError();
  if (status == cudaSuccess) return;
  const auto text = [](dim3 size) {
    return "(" + std::to_string(size.x) + "," + std::to_string(size.y) + "," + std::to_string(size.z) + ")";
  };
  const std::string launch = std::string(kernel) + "<<<" + text(grid) + ", " + text(block) + ">>>";
  const bool refused = status == cudaErrorInvalidConfiguration || status == cudaErrorLaunchOutOfResources ||
                       status == cudaErrorInvalidValue;
  throw std::runtime_error(launch + (refused ? " did not run: " : " found an earlier error: ") +
                           cudaGetErrorString(status));
}

void* allocate(size_t size_bytes) {
  if (size_bytes == 0) return nullptr;
  void* pointer = nullptr;
  const cudaError_t status = cudaMalloc(&pointer, size_bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw std::bad_alloc();  // the border adds the sizes
  }
  check(status, "cudaMalloc");
  return pointer;
}

// An error here is one of an earlier kernel, or Python is ending and the driver is gone: nobody could act on it.
void release(void* pointer) { cudaFree(pointer); }

// Waits for the kernels before it, and so is the first to see what went wrong in them.
void copy_to_host(float* host, const float* device, size_t size_bytes) {
  check(cudaMemcpy(host, device, size_bytes, cudaMemcpyDeviceToHost), "copy to the host");
}

void copy_from_host(float* device, const float* host, size_t size_bytes) {
  check(cudaMemcpy(device, host, size_bytes, cudaMemcpyHostToDevice), "copy from the host");
}

}  // namespace needle
