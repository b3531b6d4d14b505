// Array: one allocation of a device, the handle that Python holds. And the counters that Python can read.
#pragma once

#include "border.h"

namespace needle {

// What crossed the border since the last reset; the live figures are never reset.
struct Counters {
  int64_t launches = 0;         // contract calls that reached a kernel
  int64_t bytes_to_host = 0;    // copied by to_numpy
  int64_t bytes_from_host = 0;  // copied by from_numpy
  int64_t allocations = 0;
  int64_t live_allocations = 0;
  int64_t live_bytes = 0;
};
extern Counters counters;

// A flat buffer of `size` float32 elements, uninitialised. Owns its memory: views share it through Python's reference
// count.
class Array {
 public:
  explicit Array(int64_t size) : size(size) {
    check_not_negative("Array", "size", size);
    if (__builtin_mul_overflow(size, static_cast<int64_t>(sizeof(float)), &size_bytes_))
      refuse(Rule::overflow,
             {{"op", "Array"}, {"what", "the number of bytes of " + std::to_string(size) + " elements"}});
    try {
      data = static_cast<float*>(allocate(static_cast<size_t>(size_bytes_)));
    } catch (const std::bad_alloc&) {
      refuse(Rule::out_of_memory, {{"op", "Array"},
                                   {"size", std::to_string(size)},
                                   {"bytes", std::to_string(size_bytes_)},
                                   {"device", device_info.name}});
    }
    counters.allocations++;
    counters.live_allocations++;
    counters.live_bytes += size_bytes_;
  }
  ~Array() {
    counters.live_allocations--;
    counters.live_bytes -= size_bytes_;
    release(data);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  int64_t size_bytes() const { return size_bytes_; }

  const int64_t size;
  float* data = nullptr;

 private:
  int64_t size_bytes_ = 0;
};

}  // namespace needle
