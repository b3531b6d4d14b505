// Small text helpers of the reports.
#pragma once

#include <string>

namespace cudasim {

std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));
std::string json_string(const std::string& text);  // with quotes
std::string base_name(const std::string& path);

}  // namespace cudasim
