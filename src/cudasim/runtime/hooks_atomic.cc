// C++ atomics in a checked module: the instrumentation replaces them by calls, which have to do the operation.
#include <cstdint>

#include "../include/cudasim/runtime.h"

// All orders are run as the strongest one: the host's threads are the only ones that could tell the difference.
#define SEEN(p, is_write) cudasim_check_access((const void*)(p), sizeof *(p), is_write, 1, __builtin_return_address(0))
#define EXPORTED __attribute__((visibility("default")))
#define FETCH(BITS, T, name)                                                   \
  EXPORTED T __tsan_atomic##BITS##_fetch_##name(volatile T* p, T value, int) { \
    SEEN(p, 1);                                                                \
    return __atomic_fetch_##name(p, value, __ATOMIC_SEQ_CST);                  \
  }
#define EXCHANGE(BITS, T, name)                                                                               \
  EXPORTED int __tsan_atomic##BITS##_compare_exchange_##name(volatile T* p, T* expected, T value, int, int) { \
    SEEN(p, 1);                                                                                               \
    return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);        \
  }
#define ATOMICS(BITS, T)                                                                                \
  EXPORTED T __tsan_atomic##BITS##_load(const volatile T* p, int) {                                     \
    SEEN(p, 0);                                                                                         \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                        \
  }                                                                                                     \
  EXPORTED void __tsan_atomic##BITS##_store(volatile T* p, T value, int) {                              \
    SEEN(p, 1);                                                                                         \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                       \
  }                                                                                                     \
  EXPORTED T __tsan_atomic##BITS##_exchange(volatile T* p, T value, int) {                              \
    SEEN(p, 1);                                                                                         \
    return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                             \
  }                                                                                                     \
  FETCH(BITS, T, add)                                                                                   \
  FETCH(BITS, T, sub)                                                                                   \
  FETCH(BITS, T, and)                                                                                   \
  FETCH(BITS, T, or)                                                                                    \
  FETCH(BITS, T, xor)                                                                                   \
  FETCH(BITS, T, nand)                                                                                  \
  EXCHANGE(BITS, T, strong)                                                                             \
  EXCHANGE(BITS, T, weak)                                                                               \
  EXPORTED T __tsan_atomic##BITS##_compare_exchange_val(volatile T* p, T expected, T value, int, int) { \
    SEEN(p, 1);                                                                                         \
    __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);        \
    return expected;                                                                                    \
  }

extern "C" {
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
EXPORTED void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
EXPORTED void __tsan_atomic_signal_fence(int) {}
}
