// The checks at the border: everything a kernel trusts its arguments for is decided here, once, before it runs.
//
// Pure C++: bindings.cc turns Python objects into the numbers below and a Refused into the Python exception it names.
// Each check either returns or throws; none touches an element. Sums and products that leave int64 are refused, not
// wrapped.
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "contract.h"
#include "rules.h"

namespace needle {

enum class ErrorClass { ValueError, TypeError, MemoryError };

#define NEEDLE_RULE_NAME(name, error_class, text) name,
enum class Rule { NEEDLE_RULES(NEEDLE_RULE_NAME) };
#undef NEEDLE_RULE_NAME

// A broken rule, in the words of rules.h.
struct Refused : std::runtime_error {
  Refused(ErrorClass error_class, const std::string& text) : std::runtime_error(text), error_class(error_class) {}
  ErrorClass error_class;
};

// One name and value of a rule's text.
using Field = std::pair<const char*, std::string>;

// Throws Refused with the rule's text, its {fields} replaced by the values.
[[noreturn]] void refuse(Rule rule, std::initializer_list<Field> fields);

// "(2, 3)", "(5,)", "()": as Python prints a tuple.
std::string tuple_text(const std::vector<int64_t>& values);

// What the caller said: a layout before anything about it is known.
struct View {
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  int64_t offset;
};

// The view as a kernel takes it. Refuses different lengths, too many axes, a negative length, and more than 2^63 - 1
// elements.
Layout checked_layout(const char* op, const View& view);

// The view must have exactly `size` elements; `arg` names whose size that is.
void check_view_size(const char* op, const Layout& layout, const char* arg, int64_t size);

// Every index of the view must lie in a buffer of `size` elements. A view without elements touches nothing: its offset
// need only be in 0..size.
void check_inside(const char* op, const View& view, const char* arg, int64_t size);

// No two indices may reach the same element. A sufficient test: with the axes longer than one sorted by |stride|, each
// |stride| must be larger than the farthest reach of all smaller ones together.
void check_one_to_one(const char* op, const View& view);

void check_equal_sizes(const char* op, const char* a, int64_t a_size, const char* b, int64_t b_size);
void check_not_negative(const char* op, const char* arg, int64_t value);

// a must have out_size * reduce_size elements; a maximum needs at least one element per output.
void check_reduce(const char* op, int64_t a_size, int64_t out_size, int64_t reduce_size, bool is_maximum);

// a must have m*n, b n*p and out m*p elements; with `tile` above 0 all three sizes must be multiples of it.
void check_matmul(const char* op, int64_t a_size, int64_t b_size, int64_t out_size, int64_t m, int64_t n, int64_t p,
                  int tile);

}  // namespace needle
