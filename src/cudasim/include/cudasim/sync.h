// Barriers, fences and warp functions. Each carries its place in the source: a barrier is known by its line.
#pragma once

#include "builtins.h"
#include "compiler.h"
#include "runtime.h"

namespace cudasim {

constexpr unsigned kFullMask = 0xffffffffu;
inline unsigned mask_or_full(unsigned mask = kFullMask) { return mask; }
CUDASIM_UNSEEN inline int lane_index() {
  return (int)((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31u);
}

// `source` is a lane of the warp, or -1: the lane keeps its own value.
template <class T>
CUDASIM_UNSEEN inline T shuffle(unsigned mask, T value, int source, const char* operation, void* caller) {
  static_assert(sizeof(T) <= 16, "a shuffled value has at most 16 bytes");
  T result = value;
  cudasim_shuffle(mask, &value, &result, sizeof(T), source < 0 ? lane_index() : source, operation, caller);
  return result;
}

}  // namespace cudasim

#define __syncthreads() ::cudasim_syncthreads(__FILE__, __LINE__)
#define __syncthreads_count(predicate) ::cudasim_syncthreads_reduce((predicate) ? 1 : 0, 0, __FILE__, __LINE__)
#define __syncthreads_and(predicate) ::cudasim_syncthreads_reduce((predicate) ? 1 : 0, 1, __FILE__, __LINE__)
#define __syncthreads_or(predicate) ::cudasim_syncthreads_reduce((predicate) ? 1 : 0, 2, __FILE__, __LINE__)
#define __syncwarp(...) ::cudasim_syncwarp(::cudasim::mask_or_full(__VA_ARGS__), __FILE__, __LINE__)
static inline void __threadfence() { cudasim_threadfence(); }
static inline void __threadfence_block() {}
static inline void __threadfence_system() { cudasim_threadfence(); }

template <class T>
CUDASIM_CALL T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  int first = cudasim::lane_index() & ~(width - 1);
  return cudasim::shuffle(mask, value, first + (source & (width - 1)), "__shfl_sync", CUDASIM_CALLER);
}
template <class T>
CUDASIM_CALL T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  int lane = cudasim::lane_index(), end = (lane & ~(width - 1)) + width, source = lane + (int)delta;
  return cudasim::shuffle(mask, value, source < end ? source : -1, "__shfl_down_sync", CUDASIM_CALLER);
}
template <class T>
CUDASIM_CALL T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  int lane = cudasim::lane_index(), first = lane & ~(width - 1), source = lane - (int)delta;
  return cudasim::shuffle(mask, value, source >= first ? source : -1, "__shfl_up_sync", CUDASIM_CALLER);
}
template <class T>
CUDASIM_CALL T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {
  int lane = cudasim::lane_index(), end = (lane & ~(width - 1)) + width, source = lane ^ lane_mask;
  return cudasim::shuffle(mask, value, source < end ? source : -1, "__shfl_xor_sync", CUDASIM_CALLER);
}

namespace cudasim {
CUDASIM_UNSEEN inline unsigned ballot(unsigned mask, int predicate, unsigned* participants, const char* operation,
                                      void* caller) {
  uint64_t words[32];
  *participants = cudasim_gather(mask, predicate ? 1 : 0, words, operation, caller);
  unsigned result = 0;
  for (int lane = 0; lane < 32; lane++)
    if ((*participants >> lane & 1) && words[lane]) result |= 1u << lane;
  return result;
}
// Folds the words of the lanes that took part; all of them get the result.
template <class T, class Fold>
CUDASIM_UNSEEN inline T reduce(unsigned mask, T value, Fold fold, const char* operation, void* caller) {
  uint64_t words[32];
  unsigned participants = cudasim_gather(mask, (uint64_t)value, words, operation, caller), rest = participants;
  T result = (T)words[__builtin_ctz(rest)];
  for (rest &= rest - 1; rest; rest &= rest - 1) result = fold(result, (T)words[__builtin_ctz(rest)]);
  return result;
}
}  // namespace cudasim

CUDASIM_CALL unsigned __ballot_sync(unsigned mask, int predicate) {
  unsigned participants;
  return cudasim::ballot(mask, predicate, &participants, "__ballot_sync", CUDASIM_CALLER);
}
CUDASIM_CALL int __any_sync(unsigned mask, int predicate) {
  unsigned participants;
  return cudasim::ballot(mask, predicate, &participants, "__any_sync", CUDASIM_CALLER) != 0;
}
CUDASIM_CALL int __all_sync(unsigned mask, int predicate) {
  unsigned participants;
  return cudasim::ballot(mask, predicate, &participants, "__all_sync", CUDASIM_CALLER) == participants;
}
CUDASIM_CALL unsigned __activemask() { return cudasim_activemask(); }

template <class T>
CUDASIM_CALL unsigned __match_any_sync(unsigned mask, T value) {
  uint64_t word = 0, words[32];
  static_assert(sizeof(T) <= 8, "a matched value has at most 8 bytes");
  __builtin_memcpy(&word, &value, sizeof value);
  unsigned participants = cudasim_gather(mask, word, words, "__match_any_sync", CUDASIM_CALLER), result = 0;
  for (int lane = 0; lane < 32; lane++)
    if ((participants >> lane & 1) && words[lane] == word) result |= 1u << lane;
  return result;
}
template <class T>
CUDASIM_CALL unsigned __match_all_sync(unsigned mask, T value, int* predicate) {
  unsigned same = __match_any_sync(mask, value);
  *predicate = same == mask;
  return *predicate ? mask : 0;
}

#define CUDASIM_WARP_REDUCTION(name, T, expression)                                                   \
  CUDASIM_CALL T name(unsigned mask, T value) {                                                       \
    return cudasim::reduce(                                                                           \
        mask, value, [](T a, T b) CUDASIM_UNSEEN -> T { return expression; }, #name, CUDASIM_CALLER); \
  }
CUDASIM_WARP_REDUCTION(__reduce_add_sync, unsigned, a + b)
CUDASIM_WARP_REDUCTION(__reduce_add_sync, int, (int)((unsigned)a + (unsigned)b))
CUDASIM_WARP_REDUCTION(__reduce_min_sync, unsigned, a < b ? a : b)
CUDASIM_WARP_REDUCTION(__reduce_min_sync, int, a < b ? a : b)
CUDASIM_WARP_REDUCTION(__reduce_max_sync, unsigned, a > b ? a : b)
CUDASIM_WARP_REDUCTION(__reduce_max_sync, int, a > b ? a : b)
CUDASIM_WARP_REDUCTION(__reduce_and_sync, unsigned, a& b)
CUDASIM_WARP_REDUCTION(__reduce_or_sync, unsigned, a | b)
CUDASIM_WARP_REDUCTION(__reduce_xor_sync, unsigned, a ^ b)
#undef CUDASIM_WARP_REDUCTION
