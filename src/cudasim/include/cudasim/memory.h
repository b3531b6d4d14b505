// Device memory: allocation, copies, symbols. Each call hands its own address on, so that a finding names the student's
// line.
#pragma once

#include <stdlib.h>
#include <string.h>

#include "compiler.h"
#include "errors.h"

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
enum { cudaMemAttachGlobal = 1, cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2 };

template <class T>
CUDASIM_CALL cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return (cudaError_t)cudasim_malloc((void**)pointer, bytes, 0, CUDASIM_CALLER);
}
template <class T>
CUDASIM_CALL cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned = cudaMemAttachGlobal) {
  return (cudaError_t)cudasim_malloc((void**)pointer, bytes, 1, CUDASIM_CALLER);
}
template <class T>
CUDASIM_CALL cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t) {
  return (cudaError_t)cudasim_malloc((void**)pointer, bytes, 0, CUDASIM_CALLER);
}
CUDASIM_CALL cudaError_t cudaFree(void* pointer) { return (cudaError_t)cudasim_free(pointer, CUDASIM_CALLER); }
CUDASIM_CALL cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) {
  return (cudaError_t)cudasim_free(pointer, CUDASIM_CALLER);
}

// Pinned host memory is host memory here; kernels that touch it through mapping are refused as host pointers.
template <class T>
static inline cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned = 0) {
  *pointer = (T*)malloc(bytes);
  return *pointer || !bytes ? cudaSuccess : (cudaError_t)cudasim_set_error(cudaErrorMemoryAllocation);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned flags) {
  return cudaMallocHost(pointer, bytes, flags);
}
static inline cudaError_t cudaFreeHost(void* pointer) {
  free(pointer);
  return cudaSuccess;
}

CUDASIM_CALL cudaError_t cudaMemcpy(void* destination, const void* source, size_t bytes, cudaMemcpyKind kind) {
  return (cudaError_t)cudasim_memcpy(destination, source, bytes, kind, CUDASIM_CALLER);
}
CUDASIM_CALL cudaError_t cudaMemcpyAsync(void* destination, const void* source, size_t bytes, cudaMemcpyKind kind,
                                         cudaStream_t = nullptr) {
  return (cudaError_t)cudasim_memcpy(destination, source, bytes, kind, CUDASIM_CALLER);
}
CUDASIM_CALL cudaError_t cudaMemcpy2D(void* destination, size_t destination_pitch, const void* source,
                                      size_t source_pitch, size_t width_bytes, size_t height, cudaMemcpyKind kind) {
  for (size_t row = 0; row < height; row++) {
    int error = cudasim_memcpy((char*)destination + row * destination_pitch, (const char*)source + row * source_pitch,
                               width_bytes, kind, CUDASIM_CALLER);
    if (error) return (cudaError_t)error;
  }
  return cudaSuccess;
}
CUDASIM_CALL cudaError_t cudaMemset(void* destination, int value, size_t bytes) {
  return (cudaError_t)cudasim_memset(destination, value, bytes, CUDASIM_CALLER);
}
CUDASIM_CALL cudaError_t cudaMemsetAsync(void* destination, int value, size_t bytes, cudaStream_t = nullptr) {
  return (cudaError_t)cudasim_memset(destination, value, bytes, CUDASIM_CALLER);
}
template <class T>
CUDASIM_CALL cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* source, size_t bytes, size_t offset_bytes = 0,
                                            cudaMemcpyKind = cudaMemcpyHostToDevice) {
  return (cudaError_t)cudasim_symbol_copy((char*)&symbol + offset_bytes, source, bytes, &symbol, sizeof symbol,
                                          offset_bytes, CUDASIM_CALLER);
}
template <class T>
CUDASIM_CALL cudaError_t cudaMemcpyFromSymbol(void* destination, const T& symbol, size_t bytes, size_t offset_bytes = 0,
                                              cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  return (cudaError_t)cudasim_symbol_copy(destination, (const char*)&symbol + offset_bytes, bytes, &symbol,
                                          sizeof symbol, offset_bytes, CUDASIM_CALLER);
}
template <class T>
static inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  *pointer = (void*)&symbol;
  return cudaSuccess;
}
static inline cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  cudasim_memory_info(free_bytes, total_bytes);
  return cudaSuccess;
}
