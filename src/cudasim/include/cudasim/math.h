// CUDA's device maths on the host: overloads of min and max, fast-math names, rounding names, bit functions.
// The fast versions are as exact as the plain ones here; on a GPU they are not.
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <cmath>

#define CUDASIM_MIN_MAX(A, B, R)                                      \
  static inline R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; } \
  static inline R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }
CUDASIM_MIN_MAX(int, int, int)
CUDASIM_MIN_MAX(unsigned, unsigned, unsigned)
CUDASIM_MIN_MAX(int, unsigned, unsigned)
CUDASIM_MIN_MAX(unsigned, int, unsigned)
CUDASIM_MIN_MAX(long, long, long)
CUDASIM_MIN_MAX(unsigned long, unsigned long, unsigned long)
CUDASIM_MIN_MAX(long, unsigned long, unsigned long)
CUDASIM_MIN_MAX(unsigned long, long, unsigned long)
CUDASIM_MIN_MAX(long long, long long, long long)
CUDASIM_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
#undef CUDASIM_MIN_MAX
// fmax and fmin, as in CUDA: a NaN operand loses.
#define CUDASIM_MIN_MAX(A, B, R, suffix)                             \
  static inline R max(A a, B b) { return fmax##suffix((R)a, (R)b); } \
  static inline R min(A a, B b) { return fmin##suffix((R)a, (R)b); }
CUDASIM_MIN_MAX(float, float, float, f)
CUDASIM_MIN_MAX(double, double, double, )
CUDASIM_MIN_MAX(float, double, double, )
CUDASIM_MIN_MAX(double, float, double, )
#undef CUDASIM_MIN_MAX

// Macros, because the C library declares some of these names itself.
#define __expf(x) expf(x)
#define __exp10f(x) exp10f(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __powf(x, y) powf(x, y)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __sincosf(x, s, c) sincosf(x, s, c)

static inline float __fdividef(float a, float b) { return a / b; }
static inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
static inline float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678118654752f); }
static inline float __frsqrt_rn(float x) { return 1.0f / sqrtf(x); }
#ifdef __APPLE__
static inline float exp10f(float x) { return __exp10f(x); }
#endif

// IEEE round-to-nearest forms: what the host does anyway.
#define CUDASIM_ROUNDED(prefix, suffix, T, fma_function, sqrt_function)      \
  static inline T __##prefix##add##suffix(T a, T b) { return a + b; }        \
  static inline T __##prefix##sub##suffix(T a, T b) { return a - b; }        \
  static inline T __##prefix##mul##suffix(T a, T b) { return a * b; }        \
  static inline T __##prefix##div##suffix(T a, T b) { return a / b; }        \
  static inline T __##prefix##rcp##suffix(T a) { return 1 / a; }             \
  static inline T __##prefix##sqrt##suffix(T a) { return sqrt_function(a); } \
  static inline T __fma##suffix(T a, T b, T c) { return fma_function(a, b, c); }
CUDASIM_ROUNDED(f, _rn, float, fmaf, sqrtf)
CUDASIM_ROUNDED(d, _rn, double, fma, sqrt)
#undef CUDASIM_ROUNDED
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }

template <class To, class From>
static inline To cudasim_bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From), "reinterpretation keeps the size");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
static inline int __float_as_int(float x) { return cudasim_bit_cast<int>(x); }
static inline unsigned __float_as_uint(float x) { return cudasim_bit_cast<unsigned>(x); }
static inline float __int_as_float(int x) { return cudasim_bit_cast<float>(x); }
static inline float __uint_as_float(unsigned x) { return cudasim_bit_cast<float>(x); }
static inline long long __double_as_longlong(double x) { return cudasim_bit_cast<long long>(x); }
static inline double __longlong_as_double(long long x) { return cudasim_bit_cast<double>(x); }

static inline float __int2float_rn(int x) { return (float)x; }
static inline float __uint2float_rn(unsigned x) { return (float)x; }
static inline double __int2double_rn(int x) { return (double)x; }
static inline float __double2float_rn(double x) { return (float)x; }
static inline int __float2int_rn(float x) { return (int)rintf(x); }
static inline int __float2int_rz(float x) { return (int)x; }
static inline int __float2int_rd(float x) { return (int)floorf(x); }
static inline int __float2int_ru(float x) { return (int)ceilf(x); }
static inline unsigned __float2uint_rn(float x) { return (unsigned)rintf(x); }
static inline int __double2int_rn(double x) { return (int)rint(x); }

static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned __brev(unsigned x) {
  unsigned result = 0;
  for (int bit = 0; bit < 32; bit++) result |= (x >> bit & 1u) << (31 - bit);
  return result;
}
static inline int __mul24(int a, int b) { return (int)((unsigned)a * (unsigned)b); }
static inline unsigned __umul24(unsigned a, unsigned b) { return a * b; }
static inline int __mulhi(int a, int b) { return (int)((int64_t)a * b >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((uint64_t)a * b >> 32); }

#define CUDART_INF_F ((float)INFINITY)
#define CUDART_NAN_F ((float)NAN)
#define CUDART_PI_F 3.141592654f
#define CUDART_INF ((double)INFINITY)
#define CUDART_PI 3.1415926535897931
