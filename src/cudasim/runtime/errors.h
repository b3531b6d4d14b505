// The error state of the device, with CUDA's rules: an ordinary error is told once by cudaGetLastError; a fault inside a kernel
// is sticky, every later call returns it until the device is reset.
#pragma once

namespace cudasim {

enum Error {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kInvalidConfiguration = 9,
  kInvalidSymbol = 13,
  kInvalidDevicePointer = 17,
  kInvalidDirection = 21,
  kIllegalAddress = 700,
  kOutOfResources = 701,
  kLaunchTimeout = 702,
  kAssertFailed = 710,
  kMisaligned = 716,
  kLaunchFailure = 719
};

int set_error(int error);  // remembers an error other than kSuccess as the last one and returns it
void set_sticky_error(int error);
int sticky_error();
void clear_errors();

}  // namespace cudasim
