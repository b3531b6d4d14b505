// All functions from one macro.
// expect: passed
#define EWISE_BINARY(name, expression)                                          \
  void name(const float* a, const float* b, float* out, int64_t size) {        \
    for (int64_t i = 0; i < size; i++) {                                       \
      const float x = a[i], y = b[i];                                          \
      out[i] = expression;                                                     \
    }                                                                          \
  }
EWISE_BINARY(ewise_mul, x* y)
EWISE_BINARY(ewise_div, x / y)
EWISE_BINARY(ewise_maximum, x != x ? x : y != y ? y : x > y ? x : y)
EWISE_BINARY(ewise_eq, x == y)
EWISE_BINARY(ewise_ge, x >= y)
