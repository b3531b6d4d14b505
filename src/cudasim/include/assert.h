// Our <assert.h>: no include guard, as in the C library, because NDEBUG may change between two inclusions.
// A failed assertion in a kernel is a finding, on the host an exception; it never ends the interpreter.
#ifdef __cplusplus
extern "C" void cudasim_assert_failed(const char* expression, const char* file, unsigned line, const char* function)
    __attribute__((noreturn));
#else
void cudasim_assert_failed(const char* expression, const char* file, unsigned line, const char* function)
    __attribute__((noreturn));
#ifndef static_assert
#define static_assert _Static_assert
#endif
#endif
#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) ((expression) ? (void)0 : cudasim_assert_failed(#expression, __FILE__, __LINE__, __func__))
#endif
