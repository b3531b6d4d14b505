// Shadow memory: what the checker remembers of each 4 bytes of device memory.
//
// An access is one 64-bit word: epoch 30 | thread 10 | warp interval 9 | atomic 1 | site 14. Epochs rise at every launch,
// block and block barrier; blocks run one after another, so comparing two epochs tells whether anything orders two accesses.
// The warp interval counts the __syncwarp of a warp since the last block barrier.
#pragma once

#include <cstdint>

namespace cudasim {

typedef uint64_t Access;

struct Cell {
  Access write, reader, other_reader;  // the last write, the last reader, and a reader by another thread
};

enum State : uint8_t {
  kInitialised = 15,  // one bit per byte
  kLive = 16,
  kFreed = 32,
  kManaged = 64,  // the host may touch it
  kPartial = 128  // the allocation ends inside these 4 bytes
};

constexpr unsigned kSiteBits = 14, kIntervalBits = 9;
constexpr unsigned kMaxSites = 1u << kSiteBits, kMaxInterval = (1u << kIntervalBits) - 1;
constexpr uint64_t kMaxEpoch = (1ull << 30) - 1;

inline Access make_access(uint64_t epoch, unsigned thread, unsigned interval, bool atomic, unsigned site) {
  return epoch << 34 | (uint64_t)thread << 24 | (uint64_t)interval << 15 | (uint64_t)atomic << 14 | site;
}
inline uint64_t epoch_of(Access a) { return a >> 34; }
inline unsigned thread_of(Access a) { return (unsigned)(a >> 24) & 1023; }
inline unsigned interval_of(Access a) { return (unsigned)(a >> 15) & kMaxInterval; }
inline bool is_atomic(Access a) { return a >> 14 & 1; }
inline unsigned site_of(Access a) { return (unsigned)a & (kMaxSites - 1); }

}  // namespace cudasim
