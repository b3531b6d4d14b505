// Atomics and single-access intrinsics. One OS thread runs all fibers, so a plain read-modify-write is atomic; the
// checker is told that it was meant so.
#pragma once

#include <type_traits>

#include "compiler.h"
#include "runtime.h"

#ifdef CUDASIM_CHECKED
#define CUDASIM_SEE(address, is_write, is_atomic) \
  cudasim_check_access((const void*)(address), sizeof *(address), is_write, is_atomic, __builtin_return_address(0))
#else
#define CUDASIM_SEE(address, is_write, is_atomic) ((void)0)
#endif

// The element's type decides: the value converts to it, as at nvcc's overloads.
#define CUDASIM_ATOMIC(name, expression)                                                             \
  template <class T, class V>                                                                        \
  CUDASIM_REPORTS_CALLER T name(T* address, V operand) {                                             \
    static_assert(std::is_arithmetic<T>::value && sizeof(T) >= 2, #name ": no atomic of this type"); \
    const T value = (T)operand;                                                                      \
    CUDASIM_SEE(address, 1, 1);                                                                      \
    const T old = *address;                                                                          \
    *address = (T)(expression);                                                                      \
    return old;                                                                                      \
  }                                                                                                  \
  template <class T, class V>                                                                        \
  CUDASIM_REPORTS_CALLER T name##_block(T* address, V operand) {                                     \
    const T value = (T)operand;                                                                      \
    CUDASIM_SEE(address, 1, 1);                                                                      \
    const T old = *address;                                                                          \
    *address = (T)(expression);                                                                      \
    return old;                                                                                      \
  }
CUDASIM_ATOMIC(atomicAdd, old + value)
CUDASIM_ATOMIC(atomicSub, old - value)
CUDASIM_ATOMIC(atomicMax, old > value ? old : value)
CUDASIM_ATOMIC(atomicMin, old < value ? old : value)
CUDASIM_ATOMIC(atomicExch, value)
CUDASIM_ATOMIC(atomicAnd, old& value)
CUDASIM_ATOMIC(atomicOr, old | value)
CUDASIM_ATOMIC(atomicXor, old ^ value)
CUDASIM_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
CUDASIM_ATOMIC(atomicDec, (old == 0 || old > value) ? value : old - 1)
#undef CUDASIM_ATOMIC

template <class T, class C, class V>
CUDASIM_REPORTS_CALLER T atomicCAS(T* address, C compare, V value) {
  CUDASIM_SEE(address, 1, 1);
  const T old = *address;
  if (old == (T)compare) *address = (T)value;
  return old;
}

#define CUDASIM_LOAD(name)                          \
  template <class T>                                \
  CUDASIM_REPORTS_CALLER T name(const T* address) { \
    CUDASIM_SEE(address, 0, 0);                     \
    return *address;                                \
  }
CUDASIM_LOAD(__ldg)
CUDASIM_LOAD(__ldca)
CUDASIM_LOAD(__ldcg)
CUDASIM_LOAD(__ldcs)
#undef CUDASIM_LOAD

#define CUDASIM_STORE(name)                               \
  template <class T>                                      \
  CUDASIM_REPORTS_CALLER void name(T* address, T value) { \
    CUDASIM_SEE(address, 1, 0);                           \
    *address = value;                                     \
  }
CUDASIM_STORE(__stcg)
CUDASIM_STORE(__stcs)
CUDASIM_STORE(__stwt)
#undef CUDASIM_STORE
