#include "text.h"

#include <cstdarg>
#include <cstdio>

namespace cudasim {

std::string format(const char* pattern, ...) {
  va_list arguments, again;
  va_start(arguments, pattern);
  va_copy(again, arguments);
  int length = vsnprintf(nullptr, 0, pattern, arguments);
  va_end(arguments);
  std::string text(length > 0 ? (size_t)length : 0, '\0');
  vsnprintf(&text[0], text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

std::string json_string(const std::string& text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += (char)c;
    } else if (c < 0x20) {
      out += format("\\u%04x", c);
    } else {
      out += (char)c;
    }
  }
  return out + '"';
}

std::string base_name(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace cudasim
