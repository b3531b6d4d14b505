// The memory of the CPU backend: the host's own.
#include "device.h"

#include <cstdlib>
#include <new>

namespace needle {

const DeviceInfo device_info = {"cpu", kTile, kMaxRank, /*has_matmul_tiled=*/true, /*host_memory=*/true};

void* allocate(size_t size_bytes) {
  if (size_bytes == 0) return nullptr;
  void* pointer = nullptr;
  if (posix_memalign(&pointer, kAlignmentBytes, size_bytes) != 0) throw std::bad_alloc();
  return pointer;
}

void release(void* pointer) { std::free(pointer); }

void copy_to_host(float* host, const float* device, size_t size_bytes) { std::memcpy(host, device, size_bytes); }

void copy_from_host(float* device, const float* host, size_t size_bytes) { std::memcpy(device, host, size_bytes); }

}  // namespace needle
