// Shadow memory: what the checker remembers of each 4 bytes of device memory.
//
// An access is one 64-bit word: epoch 28 | thread 10 | warp interval 8 | atomic 1 | bytes 4 | site 13. Epochs rise at
// every launch, block and block barrier; blocks run one after another, so comparing two epochs tells whether anything
// orders two accesses. The bytes are those of the 4 that were touched: threads that share a cell but no byte do not
// conflict (only the last of them is remembered). The warp interval counts the __syncwarp of a warp since the last
// block barrier.
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

constexpr unsigned kSiteBits = 13, kIntervalBits = 8;
constexpr unsigned kMaxSites = 1u << kSiteBits, kMaxInterval = (1u << kIntervalBits) - 1;
constexpr uint64_t kMaxEpoch = (1ull << 28) - 1;

inline Access make_access(uint64_t epoch, unsigned thread, unsigned interval, bool atomic, unsigned site) {
  return epoch << 36 | (uint64_t)thread << 26 | (uint64_t)interval << 18 | (uint64_t)atomic << 17 | site;
}
inline uint64_t epoch_of(Access a) { return a >> 36; }
inline unsigned thread_of(Access a) { return (unsigned)(a >> 26) & 1023; }
inline unsigned interval_of(Access a) { return (unsigned)(a >> 18) & kMaxInterval; }
inline bool is_atomic(Access a) { return a >> 17 & 1; }
inline Access with_bytes(Access a, unsigned bytes) { return a | (Access)bytes << kSiteBits; }
inline unsigned bytes_of(Access a) { return (unsigned)(a >> kSiteBits) & kInitialised; }
inline unsigned site_of(Access a) { return (unsigned)a & (kMaxSites - 1); }

}  // namespace cudasim
