#include "device.h"

namespace needle {

void ewise_setitem(const float* a, float* out, Layout view) {
  for (int64_t k = 0; k < count(view); k++) out[view.offset + k * view.strides[view.rank]] = a[k];
}

void scalar_setitem(float value, float* out, Layout view) {
  float* nowhere = nullptr;
  nowhere[view.offset] = value;
}

}  // namespace needle
