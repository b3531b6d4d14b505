// Did unwritten data matter? A thread may read memory that nothing has written and throw the value away (a tile's edge,
// the upper lanes of a shuffle). So a launch that did is undone and run again with another poison; only if device
// memory then ends up different was the value used.
#pragma once

#include <cstdint>

namespace cudasim {

struct Finding;

extern bool replaying;   // the second run: nothing is reported, counted or printed
uint32_t poison_word();  // what unwritten memory holds in this run

void begin_replay_log();
void remember_first_write_now(uintptr_t word, uint8_t& state);
inline void remember_first_write(uintptr_t word, uint8_t& state) { remember_first_write_now(word, state); }
void remember_unwritten(uintptr_t word, uint8_t& state, bool shared);
// The finding is about an unwritten value: a remark instead of a fault if the value did not matter.
void judge_by_replay(Finding* finding);
bool replay_wanted();
// Called between two runs of the same launch: `run` runs all its blocks and returns false if it was abandoned.
void judge_unwritten_values(bool (*run)());
void note_fault_in_replay();   // an illegal address, too: the value may have been an index
void count_replayed_access();  // ends a second run that takes much longer than the first

}  // namespace cudasim
