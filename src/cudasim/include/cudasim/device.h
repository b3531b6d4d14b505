// Streams, events and device queries. There is one device; everything in a stream has happened when its call returns.
#pragma once

#include <string.h>

#include "memory.h"

static inline cudaError_t cudaDeviceSynchronize() { return (cudaError_t)cudasim_device_status(); }
static inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaDeviceReset() {
  cudasim_device_reset();
  return cudaSuccess;
}

enum {
  cudaStreamDefault = 0,
  cudaStreamNonBlocking = 1,
  cudaEventDefault = 0,
  cudaEventBlockingSync = 1,
  cudaEventDisableTiming = 2
};
static inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = (cudaStream_t)calloc(1, 1);
  return cudaSuccess;
}
static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return cudaStreamCreate(stream); }
static inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  free(stream);
  return cudaSuccess;
}
static inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaStreamQuery(cudaStream_t) { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }

static inline cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = (cudaEvent_t)calloc(1, sizeof(int64_t));
  return cudaSuccess;
}
static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return cudaEventCreate(event); }
static inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  free(event);
  return cudaSuccess;
}
static inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = nullptr) {
  int64_t now_ns = cudasim_clock_ns();
  memcpy((void*)event, &now_ns, sizeof now_ns);
  return cudaSuccess;
}
static inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaEventElapsedTime(float* elapsed_ms, cudaEvent_t start, cudaEvent_t stop) {
  int64_t start_ns, stop_ns;
  memcpy(&start_ns, (void*)start, sizeof start_ns);
  memcpy(&stop_ns, (void*)stop, sizeof stop_ns);
  *elapsed_ms = (float)(stop_ns - start_ns) / 1e6f;
  return cudaSuccess;
}

struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor, totalConstMem, memPitch,
      textureAlignment;
  int regsPerBlock, regsPerMultiprocessor, warpSize, maxThreadsPerBlock, maxThreadsPerMultiProcessor,
      maxBlocksPerMultiProcessor;
  int maxThreadsDim[3], maxGridSize[3], major, minor, multiProcessorCount, clockRate, memoryClockRate, memoryBusWidth,
      l2CacheSize;
  int integrated, canMapHostMemory, concurrentKernels, asyncEngineCount, unifiedAddressing, managedMemory, computeMode,
      ECCEnabled;
  int pciBusID, pciDeviceID, pciDomainID, deviceOverlap, kernelExecTimeoutEnabled;
};

enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};

static inline cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : (cudaError_t)cudasim_set_error(cudaErrorInvalidDevice);
}
static inline cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
static inline cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
static inline cudaError_t cudaDriverGetVersion(int* version) {
  *version = 12000;
  return cudaSuccess;
}
static inline cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (cudaSetDevice(device) != cudaSuccess) return cudaErrorInvalidDevice;
  memset((void*)properties, 0, sizeof *properties);
  strcpy(properties->name, "cudasim");
  size_t free_bytes;
  cudasim_memory_info(&free_bytes, &properties->totalGlobalMem);
  properties->sharedMemPerBlock = 48 << 10, properties->sharedMemPerBlockOptin = 227 << 10;
  properties->sharedMemPerMultiprocessor = 228 << 10, properties->totalConstMem = 64 << 10;
  properties->regsPerBlock = properties->regsPerMultiprocessor = 65536, properties->warpSize = 32;
  properties->maxThreadsPerBlock = 1024, properties->maxThreadsPerMultiProcessor = 2048,
  properties->maxBlocksPerMultiProcessor = 32;
  properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = 1024, properties->maxThreadsDim[2] = 64;
  properties->maxGridSize[0] = 0x7fffffff, properties->maxGridSize[1] = properties->maxGridSize[2] = 65535;
  properties->major = 9, properties->multiProcessorCount = 1,
  properties->clockRate = properties->memoryClockRate = 1000000;
  properties->memoryBusWidth = 256,
  properties->concurrentKernels = properties->unifiedAddressing = properties->managedMemory = 1;
  return cudaSuccess;
}

static inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) return cudaErrorInvalidDevice;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = properties.maxThreadsPerBlock;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = (int)properties.sharedMemPerBlock;
      return cudaSuccess;
    case cudaDevAttrWarpSize:
      *value = properties.warpSize;
      return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
      *value = properties.multiProcessorCount;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
      *value = properties.major;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      *value = properties.minor;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = (int)properties.sharedMemPerBlockOptin;
      return cudaSuccess;
  }
  return (cudaError_t)cudasim_set_error(cudaErrorNotSupported);
}

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
template <class Function>
static inline cudaError_t cudaFuncSetAttribute(Function function, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  return (cudaError_t)cudasim_allow_dynamic_shared((const void*)function, value);
}
template <class Function>
static inline cudaError_t cudaFuncSetCacheConfig(Function, cudaFuncCache) {
  return cudaSuccess;
}
static inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
template <class Function>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function, int block_size, size_t) {
  *blocks = block_size > 0 ? 2048 / block_size : 0;
  return cudaSuccess;
}
template <class Function>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, Function, size_t = 0,
                                                             int = 0) {
  *grid_size = 2, *block_size = 1024;
  return cudaSuccess;
}

enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};
static inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  void* base;
  size_t bytes;
  int kind = cudasim_pointer_kind(pointer, &base, &bytes);
  attributes->type = kind == 0 ? cudaMemoryTypeUnregistered : kind == 2 ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
  attributes->device = 0;
  attributes->devicePointer = kind ? (void*)pointer : nullptr,
  attributes->hostPointer = kind == 2 ? (void*)pointer : nullptr;
  return cudaSuccess;
}
static inline cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = nullptr) { return cudaSuccess; }
