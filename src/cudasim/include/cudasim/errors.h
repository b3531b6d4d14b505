// Error codes of the CUDA runtime that the simulator gives, with the real numbers.
#pragma once

#include "runtime.h"

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702,
  cudaErrorAssert = 710,
  cudaErrorMisalignedAddress = 716,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;

static inline cudaError_t cudaGetLastError() { return (cudaError_t)cudasim_last_error(1); }
static inline cudaError_t cudaPeekAtLastError() { return (cudaError_t)cudasim_last_error(0); }
static inline const char* cudaGetErrorString(cudaError_t error) { return cudasim_error_text(error); }
static inline const char* cudaGetErrorName(cudaError_t error) { return cudasim_error_name(error); }
