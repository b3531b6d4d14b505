// Family reduce: many neighbours become one. The axis to reduce has been moved to the end and compacted before.
#include "device.h"

namespace needle {

// out[i] = the largest of the reduce_size elements of `a` that begin at a[i * reduce_size]; NaN if one of them is NaN.
// Shapes: out has out_size > 0 elements, `a` has out_size * reduce_size, and reduce_size >= 1.
// Memory: flat buffers; out is another buffer than `a` and holds garbage before.
// Hint: the first element of the row is the first candidate. Any constant is wrong for some row.
// Example: a = 1 5 2 -3 -1 -2 with reduce_size 3 gives out = 5 -1.
void reduce_max(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  // BEGIN SOLUTION reduce.cpu
  for (int64_t i = 0; i < out_size; i++) {
    const float* row = a + i * reduce_size;
    float largest = row[0];
    for (int64_t j = 1; j < reduce_size; j++)
      if (row[j] > largest || std::isnan(row[j])) largest = row[j];  // once NaN, no comparison is true again
    out[i] = largest;
  }
  // END SOLUTION reduce.cpu
}

// out[i] = the sum of the reduce_size elements of `a` that begin at a[i * reduce_size].
// Shapes: as reduce_max, but reduce_size may be 0: the sum of nothing is 0.
// Memory: as reduce_max.
// Hint: 2^25 ones summed in float stop at 16777216, since 16777216 + 1 is no float. A double does not stop there.
void reduce_sum(const float* a, float* out, int64_t out_size, int64_t reduce_size) {
  // BEGIN SOLUTION reduce.cpu
  for (int64_t i = 0; i < out_size; i++) {
    double sum = 0.0;
    for (int64_t j = 0; j < reduce_size; j++) sum += a[i * reduce_size + j];
    out[i] = static_cast<float>(sum);
  }
  // END SOLUTION reduce.cpu
}

}  // namespace needle
