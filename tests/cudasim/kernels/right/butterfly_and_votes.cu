// Exchange by xor, votes, and a ballot that ranks the positive lanes.
#include "../common.h"

__global__ void pack_positive(const float* a, float* out, float* count) {
  int lane = threadIdx.x;
  float value = a[lane], largest = value;
  for (int mask = 16; mask > 0; mask >>= 1) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, mask));
  unsigned positive = __ballot_sync(0xffffffffu, value > 0);
  int rank = __popc(positive & ((1u << lane) - 1));
  if (value > 0) out[rank] = value;
  bool any = __any_sync(0xffffffffu, value == largest), all = __all_sync(0xffffffffu, value <= largest);
  if (lane == 0) count[0] = any && all ? __popc(positive) : -1;
}

int main() {
  std::vector<float> a = numbers(32), want;
  for (float value : a)
    if (value > 0) want.push_back(value);
  float *d_a = device_copy(a), *out = device_empty(32), *count = device_empty(1);
  pack_positive<<<1, 32>>>(d_a, out, count);
  int wrong = verdict(download(count, 1), {float(want.size())});
  return wrong ? wrong : verdict(download(out, want.size()), want);
}
