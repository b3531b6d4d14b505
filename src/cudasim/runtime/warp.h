// Warp-wide operations: lanes wait until every lane named in their mask has come (or has exited), then exchange values.
#pragma once

#include <cstdint>

namespace cudasim {

void reset_warps();
bool open_warp_groups();  // releases every complete group; true if there was one

}  // namespace cudasim
