// The C functions of libcudasim.so that the other headers call: headers and runtime are one ABI, built together.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define CUDASIM_API __attribute__((visibility("default")))
#else
#define CUDASIM_API
#endif

// One pointer among a kernel's arguments, so that a report can name the array.
struct cudasim_pointer_argument {
  const void* pointer;
  size_t element_bytes;
  int position;  // among the parameters
};

// One launch, as the text after translation describes it. Lives on the launching function's stack.
struct cudasim_launch_request {
  const char* kernel;      // as written at the launch
  const char* parameters;  // names, separated by commas
  const char* file;
  int line;
  int checked;           // the launching module is instrumented
  const void* function;  // nullptr for generic kernels
  unsigned grid[3], block[3];
  size_t dynamic_shared_bytes;
  void (*run_thread)(void* arguments);
  void* arguments;
  size_t arguments_bytes;
  const cudasim_pointer_argument* pointers;
  int pointer_count;
};

// Where a shared declaration lives during one launch; a static object per declaration.
struct cudasim_shared_slot {
  uint64_t launch;
  void* address;
};

extern "C" {
CUDASIM_API void cudasim_launch(const cudasim_launch_request* request);
CUDASIM_API void cudasim_enable_checks(void);

CUDASIM_API extern uint64_t cudasim_launch_number;  // of the running launch; never 0 in a kernel
CUDASIM_API void* cudasim_place_shared(cudasim_shared_slot* slot, size_t bytes, size_t alignment);
CUDASIM_API void cudasim_name_shared(const void* address, const char* name, size_t bytes, size_t element_bytes,
                                     int rank, const size_t* extents);
CUDASIM_API void* cudasim_dynamic_shared(const char* name, size_t element_bytes);
CUDASIM_API void cudasim_device_variable(const char* name, const void* address, size_t bytes, size_t element_bytes,
                                         int space);

CUDASIM_API void cudasim_syncthreads(const char* file, int line);
CUDASIM_API int cudasim_syncthreads_reduce(int predicate, int operation, const char* file,
                                           int line);  // 0 count, 1 and, 2 or
CUDASIM_API void cudasim_syncwarp(unsigned mask, const char* file, int line);
CUDASIM_API void cudasim_threadfence(void);
// Every lane of the mask brings a value of up to 16 bytes and gets that of lane `source`; a lane outside the group
// gives poison.
CUDASIM_API void cudasim_shuffle(unsigned mask, const void* value, void* result, size_t bytes, int source,
                                 const char* operation, void* caller);
// Every lane brings a word and gets all lanes' words; the return value is the mask of the lanes that took part.
CUDASIM_API unsigned cudasim_gather(unsigned mask, uint64_t value, uint64_t* words, const char* operation,
                                    void* caller);
CUDASIM_API unsigned cudasim_activemask(void);

CUDASIM_API void cudasim_check_access(const void* address, size_t bytes, int is_write, int is_atomic, void* caller);
CUDASIM_API void cudasim_assert_failed(const char* expression, const char* file, unsigned line, const char* function)
    __attribute__((noreturn));
CUDASIM_API void cudasim_trap(void* caller) __attribute__((noreturn));
CUDASIM_API int64_t cudasim_clock_ns(void);

CUDASIM_API int cudasim_malloc(void** pointer, size_t bytes, int managed, void* caller);
CUDASIM_API int cudasim_free(void* pointer, void* caller);
CUDASIM_API int cudasim_memcpy(void* destination, const void* source, size_t bytes, int kind, void* caller);
CUDASIM_API int cudasim_memset(void* destination, int value, size_t bytes, void* caller);
CUDASIM_API int cudasim_symbol_copy(void* destination, const void* source, size_t bytes, const void* symbol,
                                    size_t symbol_bytes, size_t offset_bytes, void* caller);
CUDASIM_API int cudasim_last_error(int clear);
CUDASIM_API int cudasim_device_status(void);
CUDASIM_API int cudasim_set_error(int error);
CUDASIM_API void cudasim_device_reset(void);
CUDASIM_API const char* cudasim_error_name(int error);
CUDASIM_API const char* cudasim_error_text(int error);
CUDASIM_API int cudasim_allow_dynamic_shared(const void* function, int bytes);
CUDASIM_API int cudasim_pointer_kind(const void* pointer, void** base,
                                     size_t* bytes);  // 0 host, 1 device, 2 managed, 3 symbol
CUDASIM_API void cudasim_memory_info(size_t* free_bytes, size_t* total_bytes);
}
