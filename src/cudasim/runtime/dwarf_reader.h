// Reads the numbers and strings of DWARF sections.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

namespace cudasim {

// Reads little-endian values one after another; past its end it gives zeros and stays there.
struct Reader {
  const uint8_t *at, *end;

  bool empty() const { return at >= end; }
  template <class T>
  T number() {
    T value = 0;
    if ((size_t)(end - at) >= sizeof(T))
      memcpy(&value, at, sizeof(T)), at += sizeof(T);
    else
      at = end;
    return value;
  }
  uint64_t uleb() {
    uint64_t value = 0;
    for (int shift = 0; at < end; shift += 7) {
      const uint8_t byte = *at++;
      if (shift < 64) value |= (uint64_t)(byte & 127) << shift;
      if (!(byte & 128)) break;
    }
    return value;
  }
  int64_t sleb() {
    uint64_t value = 0;
    int shift = 0;
    uint8_t byte = 0;
    while (at < end) {
      byte = *at++;
      if (shift < 64) value |= (uint64_t)(byte & 127) << shift;
      shift += 7;
      if (!(byte & 128)) break;
    }
    if (shift < 64 && (byte & 64)) value |= ~0ull << shift;
    return (int64_t)value;
  }
  std::string string() {
    const uint8_t* zero = (const uint8_t*)memchr(at, 0, (size_t)(end - at));
    if (!zero) zero = end;
    std::string text((const char*)at, (size_t)(zero - at));
    at = zero < end ? zero + 1 : end;
    return text;
  }
  void skip(uint64_t bytes) { at += std::min<uint64_t>(bytes, (uint64_t)(end - at)); }
};

}  // namespace cudasim
