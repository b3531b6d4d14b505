// dim3 and the vector types, with CUDA's sizes and alignments.
#pragma once

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};

// align2 and align4 follow the CUDA programming guide's table of built-in vector types.
#define CUDASIM_VECTOR_TYPES(Scalar, name, align2, align4)                                      \
  struct name##1 { Scalar x; };                                                                 \
  struct __attribute__((aligned(align2))) name##2 { Scalar x, y; };                             \
  struct name##3 { Scalar x, y, z; };                                                           \
  struct __attribute__((aligned(align4))) name##4 { Scalar x, y, z, w; };                       \
  static inline constexpr name##1 make_##name##1(Scalar x) { return name##1 {x}; }              \
  static inline constexpr name##2 make_##name##2(Scalar x, Scalar y) { return name##2 {x, y}; } \
  static inline constexpr name##4 make_##name##4(Scalar x, Scalar y, Scalar z, Scalar w) {      \
    return name##4 {x, y, z, w};                                                                \
  }
#define CUDASIM_MAKE3(Scalar, name) \
  static inline constexpr name##3 make_##name##3(Scalar x, Scalar y, Scalar z) { return name##3 {x, y, z}; }

CUDASIM_VECTOR_TYPES(signed char, char, 2, 4)
CUDASIM_VECTOR_TYPES(unsigned char, uchar, 2, 4)
CUDASIM_VECTOR_TYPES(short, short, 4, 8)
CUDASIM_VECTOR_TYPES(unsigned short, ushort, 4, 8)
CUDASIM_VECTOR_TYPES(int, int, 8, 16)
CUDASIM_VECTOR_TYPES(long, long, 2 * sizeof(long), 16)
CUDASIM_VECTOR_TYPES(unsigned long, ulong, 2 * sizeof(long), 16)
CUDASIM_VECTOR_TYPES(long long, longlong, 16, 16)
CUDASIM_VECTOR_TYPES(unsigned long long, ulonglong, 16, 16)
CUDASIM_VECTOR_TYPES(float, float, 8, 16)
CUDASIM_VECTOR_TYPES(double, double, 16, 16)
CUDASIM_MAKE3(signed char, char)
CUDASIM_MAKE3(unsigned char, uchar)
CUDASIM_MAKE3(short, short)
CUDASIM_MAKE3(unsigned short, ushort)
CUDASIM_MAKE3(int, int)
CUDASIM_MAKE3(unsigned, uint)
CUDASIM_MAKE3(long, long)
CUDASIM_MAKE3(unsigned long, ulong)
CUDASIM_MAKE3(long long, longlong)
CUDASIM_MAKE3(unsigned long long, ulonglong)
CUDASIM_MAKE3(float, float)
CUDASIM_MAKE3(double, double)

// uint3 stands above because dim3 converts from it.
struct uint1 {
  unsigned x;
};
struct __attribute__((aligned(8))) uint2 {
  unsigned x, y;
};
struct __attribute__((aligned(16))) uint4 {
  unsigned x, y, z, w;
};
static inline constexpr uint1 make_uint1(unsigned x) { return uint1{x}; }
static inline constexpr uint2 make_uint2(unsigned x, unsigned y) { return uint2{x, y}; }
static inline constexpr uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return uint4{x, y, z, w}; }

#undef CUDASIM_VECTOR_TYPES
#undef CUDASIM_MAKE3
