// The error state of the device. An ordinary error is returned by its call and told once more by cudaGetLastError. A
// fault in a kernel is returned by the next call that is no launch. On a GPU it is returned for ever, because the
// context is dead; here the device lives on once the program has been told, so that one wrong kernel does not hide what
// the next one does.
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
int take_sticky_error();  // to be returned by the current call; told once
void clear_errors();

}  // namespace cudasim
