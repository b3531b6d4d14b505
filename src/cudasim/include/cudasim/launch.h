// A launch: `kernel(...).configure(grid, block)(arguments)`, as the translated text writes it (see ABI.md).
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "compiler.h"
#include "memory.h"
#include "runtime.h"
#include "types.h"

namespace cudasim {

#ifdef CUDASIM_CHECKED
constexpr int kChecked = 1;
#else
constexpr int kChecked = 0;
#endif

template <class T, class = void>
struct ElementBytes {
  static constexpr size_t value = 1;  // void, functions, incomplete types
};
template <class T>
struct ElementBytes<T, decltype(void(sizeof(T)))> {
  static constexpr size_t value = sizeof(T);
};

template <class T>
inline int note_pointer(cudasim_pointer_argument* pointers, int count, int position, T* pointer) {
  pointers[count] = {(const void*)pointer, ElementBytes<T>::value, position};
  return count + 1;
}
template <class T>
inline int note_pointer(cudasim_pointer_argument*, int count, int, const T&) {
  return count;
}

template <class Function, class Arguments>
struct Call {
  Function function;
  Arguments arguments;  // by value: what a kernel gets on a GPU is a copy too
};

template <class Function, class Arguments>
CUDASIM_UNSEEN void run_thread(void* pointer) {
  auto* call = (Call<Function, Arguments>*)pointer;
  std::apply(call->function, call->arguments);
}

template <class... Parameters, class Function, class... Arguments>
void launch(cudasim_launch_request& request, Function function, Arguments&&... arguments) {
  typedef std::tuple<typename std::decay<Parameters>::type...> Values;
  Call<Function, Values> call{function, Values(std::forward<Arguments>(arguments)...)};
  cudasim_pointer_argument pointers[sizeof...(Parameters) + 1];
  int count = 0, position = 0;
  std::apply(
      [&](auto&... values) {
        (void)std::initializer_list<int>{0, (count = note_pointer(pointers, count, position++, values), 0)...};
      },
      call.arguments);
  request.run_thread = &run_thread<Function, Values>;
  request.arguments = &call;
  request.arguments_bytes = sizeof call;
  request.pointers = pointers;
  request.pointer_count = count;
  cudasim_launch(&request);
}

inline cudasim_launch_request make_request(const char* kernel, const char* parameters, const char* file, int line,
                                           const void* function) {
  cudasim_launch_request request = {};
  request.kernel = kernel, request.parameters = parameters, request.file = file, request.line = line;
  request.checked = kChecked, request.function = function;
  return request;
}

inline void set_configuration(cudasim_launch_request& request, dim3 grid, dim3 block, size_t shared_bytes) {
  request.grid[0] = grid.x, request.grid[1] = grid.y, request.grid[2] = grid.z;
  request.block[0] = block.x, request.block[1] = block.y, request.block[2] = block.z;
  request.dynamic_shared_bytes = shared_bytes;
}

template <class... Parameters>
struct Kernel {
  cudasim_launch_request request;
  void (*function)(Parameters...);
  Kernel& configure(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t = nullptr) {
    set_configuration(request, grid, block, shared_bytes);
    return *this;
  }
  void operator()(Parameters... arguments) { launch<Parameters...>(request, function, arguments...); }
};

template <class Function>
struct GenericKernel {
  cudasim_launch_request request;
  Function function;
  GenericKernel& configure(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t = nullptr) {
    set_configuration(request, grid, block, shared_bytes);
    return *this;
  }
  template <class... Arguments>
  void operator()(Arguments... arguments) {
    launch<Arguments...>(request, function, arguments...);
  }
};

template <class... Parameters>
Kernel<Parameters...> kernel(const char* name, const char* parameters, const char* file, int line,
                             void (*function)(Parameters...)) {
  return {make_request(name, parameters, file, line, (const void*)function), function};
}

template <class Function>
GenericKernel<Function> generic_kernel(const char* name, const char* parameters, const char* file, int line,
                                       Function function) {
  return {make_request(name, parameters, file, line, nullptr), function};
}

// The pointer to a kernel, in a call that depends on its first argument: an overload set fails to substitute, quietly.
template <class... Parameters>
auto as_pointer(int, void (*function)(Parameters...)) {
  return function;
}

// A kernel of which the translator does not know whether a plain pointer to it can be taken: the compiler finds out.
template <class Pointer, class Function>
auto any_kernel(const char* name, const char* parameters, const char* file, int line, Pointer pointer,
                Function function) {
  if constexpr (std::is_invocable<Pointer, int>::value)
    return kernel(name, parameters, file, line, pointer(0));
  else
    return generic_kernel(name, parameters, file, line, function);
}

#ifdef CUDASIM_CHECKED
// A checked module announces itself when it is loaded, before it allocates anything.
struct EnableChecks {
  EnableChecks() { cudasim_enable_checks(); }
};
static EnableChecks enable_checks;
#endif

}  // namespace cudasim
