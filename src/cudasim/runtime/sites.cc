#include "sites.h"

#include <functional>
#include <string>

#include "source_lines.h"

namespace cudasim {

SiteTable sites;

uint64_t line_key(unsigned site) {
  static std::vector<uint64_t> keys(kMaxSites);
  uint64_t& key = keys[site];
  if (!key) {
    const SourceLine line = line_of(sites.addresses[site]);
    key = line.known() ? std::hash<std::string>()(line.file) ^ (uint64_t)line.line << 40 : sites.addresses[site] + 1;
  }
  return key;
}

unsigned SiteTable::add(unsigned slot, uintptr_t address) {
  if (addresses.size() >= kMaxSites) return 0;
  slots[slot] = {address, (unsigned)addresses.size()};
  addresses.push_back(address);
  return slots[slot].number;
}

}  // namespace cudasim
