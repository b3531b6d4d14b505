#include "device.h"

namespace needle {

void compact(const float* a, float* out, Layout view) {
  for (int64_t k = 0; k < count(view); k++) out[k] = a[view.offset + k];
}

}  // namespace needle
