// What a course's file hands to the grader: its array type and its functions, by Python name. C++11, and no Python here.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace needle_course {

// One argument of a call. What a parameter of the function makes of it is decided by the parameter's type.
struct Value {
  enum Kind { kArray, kNumber, kInteger, kIntegers } kind;
  void* array;
  double number;
  long long integer;
  std::vector<long long> integers;
};

// A call whose arguments do not fit the function's parameters: a TypeError in Python.
struct WrongArguments : std::invalid_argument {
  explicit WrongArguments(const std::string& what) : std::invalid_argument(what) {}
};

struct Function {
  std::string name;
  std::function<void(const std::vector<Value>&)> call;
};

// Everything that the submission offers; filled while the module loads.
struct Submission {
  std::vector<Function> functions;
  void* (*make)(size_t size);
  void (*destroy)(void* array);
  size_t (*address)(void* array);
  size_t (*size)(void* array);
};

Submission load_submission();  // in course_end.h, the only unit that sees the submission

}  // namespace needle_course
