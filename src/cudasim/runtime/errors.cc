#include "errors.h"

#include "../include/cudasim/runtime.h"

namespace cudasim {

static int last, sticky;

int set_error(int error) {
  if (error) last = error;
  return error;
}

void set_sticky_error(int error) { last = sticky = error; }
int take_sticky_error() {
  const int error = sticky;
  sticky = kSuccess;
  return set_error(error);
}
void clear_errors() { last = sticky = kSuccess; }

struct ErrorText {
  int error;
  const char *name, *text;
};
static const ErrorText texts[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {3, "cudaErrorInitializationError", "initialization error"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {17, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {600, "cudaErrorNotReady", "device not ready"},
    {700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {710, "cudaErrorAssert", "device-side assert triggered"},
    {716, "cudaErrorMisalignedAddress", "misaligned address"},
    {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {801, "cudaErrorNotSupported", "operation not supported"},
};
static const ErrorText unknown = {999, "cudaErrorUnknown", "unknown error"};

static const ErrorText& find(int error) {
  for (const ErrorText& t : texts)
    if (t.error == error) return t;
  return unknown;
}

}  // namespace cudasim

extern "C" {
int cudasim_last_error(int clear) {
  int error = cudasim::last;
  if (clear) cudasim::clear_errors();
  return error;
}
int cudasim_device_status() { return cudasim::take_sticky_error(); }
int cudasim_set_error(int error) { return cudasim::set_error(error); }
const char* cudasim_error_name(int error) { return cudasim::find(error).name; }
const char* cudasim_error_text(int error) { return cudasim::find(error).text; }
}
