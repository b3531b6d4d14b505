// As much of pybind11's vocabulary as a course's module block uses, without Python: functions are noted down, the rest is
// accepted and ignored. It compiles in a tenth of the time. A file that wants more is compiled with the real pybind11.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "course_registry.h"

namespace pybind11 {

typedef std::ptrdiff_t ssize_t;

struct object {};
struct handle : object {};
struct none : object {};
struct str : object {
  str() {}
  str(const char*) {}
};
struct capsule : object {
  capsule() {}
  template <typename... T>
  explicit capsule(T&&...) {}
};
struct buffer_info {
  void* ptr = nullptr;
  ssize_t itemsize = 0, size = 0, ndim = 0;
  std::string format;
  std::vector<ssize_t> shape, strides;
};

// Only ever named in functions that the grader does not call (to_numpy, from_numpy).
struct array : object {
  enum { c_style = 1, f_style = 2, forcecast = 16 };
  buffer_info request(bool = false) const { return buffer_info(); }
  ssize_t size() const { return 0; }
  ssize_t ndim() const { return 0; }
  ssize_t nbytes() const { return 0; }
  const ssize_t* shape() const { return nullptr; }
  ssize_t shape(ssize_t) const { return 0; }
};
template <typename T, int Flags = array::forcecast>
struct array_t : array {
  array_t() {}
  template <typename Shape, typename Strides>
  array_t(const Shape&, const Strides&, const T*, const object& = object()) {}
  template <typename Shape>
  explicit array_t(const Shape&, const T* = nullptr, const object& = object()) {}
  const T* data() const { return nullptr; }
  T* mutable_data() { return nullptr; }
};

template <typename... Args>
struct init {};
enum class return_value_policy { automatic, automatic_reference, take_ownership, copy, move, reference, reference_internal };
struct gil_scoped_release {};
struct gil_scoped_acquire {};
template <typename... T>
struct call_guard {};
template <size_t, size_t>
struct keep_alive {};
struct module_local {
  module_local(bool = true) {}
};
struct arg {
  explicit arg(const char*) {}
  arg& noconvert(bool = true) { return *this; }
  template <typename T>
  arg& operator=(T&&) {
    return *this;
  }
};
namespace literals {
inline arg operator""_a(const char* name, size_t) { return arg(name); }
}  // namespace literals

namespace grader {

using needle_course::Value;
using needle_course::WrongArguments;

template <typename Integer>
Integer narrowed(long long value, long long most) {
  const bool fits = std::is_unsigned<Integer>::value ? value >= 0 && value <= most : value >= -most - 1 && value <= most;
  if (!fits) throw WrongArguments("incompatible function arguments: " + std::to_string(value) + " does not fit");
  return static_cast<Integer>(value);
}
template <typename Integer>
Integer integer_from(const Value& value) {
  if (value.kind != Value::kInteger) throw WrongArguments("incompatible function arguments: a whole number is wanted");
  const bool wide = sizeof(Integer) >= sizeof(long long);
  return narrowed<Integer>(value.integer, wide ? std::numeric_limits<long long>::max()
                                               : static_cast<long long>(std::numeric_limits<Integer>::max()));
}

// How a parameter of type T is made from a Value; `possible` is false for what the contract does not know.
template <typename T, typename = void>
struct Parameter {
  static constexpr bool possible = false;
};
template <typename T>
struct Parameter<T, typename std::enable_if<std::is_integral<T>::value && !std::is_const<T>::value>::type> {
  static constexpr bool possible = true;
  static T from(const Value& value) { return integer_from<T>(value); }
};
template <typename T>
struct Parameter<T, typename std::enable_if<std::is_floating_point<T>::value>::type> {
  static constexpr bool possible = true;
  static T from(const Value& value) {
    if (value.kind == Value::kInteger) return static_cast<T>(value.integer);
    if (value.kind != Value::kNumber) throw WrongArguments("incompatible function arguments: a number is wanted");
    return static_cast<T>(value.number);
  }
};
template <typename T>
struct Parameter<std::vector<T>, typename std::enable_if<std::is_integral<T>::value>::type> {
  static constexpr bool possible = true;
  static std::vector<T> from(const Value& value) {
    if (value.kind != Value::kIntegers) throw WrongArguments("incompatible function arguments: a tuple is wanted");
    std::vector<T> made;
    for (const long long each : value.integers) {
      Value one = value;
      one.kind = Value::kInteger;
      one.integer = each;
      made.push_back(integer_from<T>(one));
    }
    return made;
  }
};
template <typename T>
struct Parameter<T*, typename std::enable_if<std::is_class<T>::value && !std::is_base_of<object, T>::value>::type> {
  static constexpr bool possible = true;
  static T* from(const Value& value) {
    if (value.kind != Value::kArray) throw WrongArguments("incompatible function arguments: an Array is wanted");
    return static_cast<T*>(value.array);
  }
};
template <typename T>
struct Parameter<const T*, typename std::enable_if<Parameter<T*>::possible>::type> : Parameter<T*> {};

// Holds the argument for a parameter of type P while the call lasts. A reference to a class of the submission is an array.
template <typename P>
struct Slot {
  typedef typename std::remove_cv<typename std::remove_reference<P>::type>::type plain;
  static constexpr bool array = std::is_reference<P>::value && Parameter<plain*>::possible && !Parameter<plain>::possible;
  typedef typename std::conditional<array, plain*, plain>::type held_type;
  static constexpr bool possible = Parameter<held_type>::possible;
  held_type held;
  explicit Slot(const Value& value) : held(Parameter<held_type>::from(value)) {}
  plain& get() { return reference(held, std::integral_constant<bool, array>()); }
  static plain& reference(plain* pointer, std::true_type) { return *pointer; }
  static plain& reference(plain& value, std::false_type) { return value; }
};

template <typename... P>
struct AllPossible : std::true_type {};
template <typename First, typename... Rest>
struct AllPossible<First, Rest...>
    : std::integral_constant<bool, Slot<First>::possible && AllPossible<Rest...>::value> {};

template <size_t... I>
struct Indices {};
template <size_t N, size_t... I>
struct Count : Count<N - 1, N - 1, I...> {};
template <size_t... I>
struct Count<0, I...> {
  typedef Indices<I...> type;
};

template <typename Function, typename... P, size_t... I>
void invoke(Function& function, const std::vector<Value>& values, std::tuple<P...>*, Indices<I...>) {
  if (values.size() != sizeof...(P)) throw WrongArguments("incompatible function arguments: wrong number of them");
  std::tuple<Slot<P>...> slots(values[I]...);
  function(std::get<I>(slots).get()...);
}

// The parameter list of a function pointer or of a callable object.
template <typename T>
struct Signature : Signature<decltype(&T::operator())> {};
template <typename R, typename... P>
struct Signature<R (*)(P...)> {
  typedef R result;
  typedef std::tuple<P...> parameters;
  typedef AllPossible<P...> possible;
  static constexpr size_t count = sizeof...(P);
};
template <typename C, typename R, typename... P>
struct Signature<R (C::*)(P...) const> : Signature<R (*)(P...)> {};
template <typename C, typename R, typename... P>
struct Signature<R (C::*)(P...)> : Signature<R (*)(P...)> {};
#if __cplusplus >= 201703L
template <typename R, typename... P>
struct Signature<R (*)(P...) noexcept> : Signature<R (*)(P...)> {};
template <typename C, typename R, typename... P>
struct Signature<R (C::*)(P...) const noexcept> : Signature<R (*)(P...)> {};
#endif

template <typename F>
void note(std::vector<needle_course::Function>& functions, const char* name, F function, std::true_type) {
  typedef Signature<F> S;
  functions.push_back({name, [function](const std::vector<Value>& values) mutable {
                         invoke(function, values, static_cast<typename S::parameters*>(nullptr),
                                typename Count<S::count>::type());
                       }});
}
template <typename F>
void note(std::vector<needle_course::Function>&, const char*, F, std::false_type) {}

}  // namespace grader

// Takes anything: attributes, documentation, what is defined on a class.
struct ignored : object {
  template <typename T>
  ignored& operator=(T&&) {
    return *this;
  }
};

class module_ : public object {
 public:
  std::vector<needle_course::Function> functions;
  template <typename F, typename... Extra>
  module_& def(const char* name, F&& function, Extra&&...) {
    typedef typename std::decay<F>::type callable;
    typedef grader::Signature<callable> S;
    for (const needle_course::Function& each : functions)
      if (each.name == name) return *this;  // the first overload counts
    grader::note(functions, name, callable(function),
                 std::integral_constant<bool, S::possible::value && std::is_void<typename S::result>::value>());
    return *this;
  }
  bool has(const char* name) const {
    for (const needle_course::Function& each : functions)
      if (each.name == name) return true;
    return false;
  }
  ignored attr(const char*) { return ignored(); }
  ignored doc() { return ignored(); }
};
typedef module_ module;

template <typename T, typename... Options>
class class_ : public object {
 public:
  template <typename... Extra>
  class_(const module_&, const char*, Extra&&...) {}
  template <typename... T2>
  class_& def(T2&&...) {
    return *this;
  }
  template <typename... T2>
  class_& def_readonly(T2&&...) {
    return *this;
  }
  template <typename... T2>
  class_& def_readwrite(T2&&...) {
    return *this;
  }
  template <typename... T2>
  class_& def_property_readonly(T2&&...) {
    return *this;
  }
};

}  // namespace pybind11
