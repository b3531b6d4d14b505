#include "sites.h"

namespace cudasim {

SiteTable sites;

unsigned SiteTable::add(unsigned slot, uintptr_t address) {
  if (addresses.size() >= kMaxSites) return 0;
  slots[slot] = {address, (unsigned)addresses.size()};
  addresses.push_back(address);
  return slots[slot].number;
}

}  // namespace cudasim
