#include "access_patterns.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "describe.h"
#include "scheduler.h"
#include "sites.h"
#include "source_lines.h"
#include "text.h"

namespace cudasim {

bool patterns_on = false;

constexpr uint32_t kMaxExecutions = 100000;  // of one site by one thread in one round
constexpr unsigned kSectorBytes = 32, kBanks = 32;

// One warp request: the addresses that its lanes gave to the same execution of a site.
struct Request {
  unsigned lanes = 0, bytes = 0;
  uintptr_t address[kWarpSize];
};

struct SitePattern {
  std::string kernel, array;
  bool used = false, shared = false, is_write = false;
  uint64_t requests = 0, sectors = 0, ideal_sectors = 0, bank_cycles = 0, worst_bank_cycles = 0;
  // The warp that runs now:
  std::vector<Request> open;
  uint64_t round = 0;       // of the thread that last executed the site,
  uint32_t executions = 0;  // and how often it has in this round
};
static std::vector<SitePattern> patterns;  // by site number
static std::vector<unsigned> open_sites;
static unsigned open_warp;
static uint64_t launches_counted;

static void count_sectors(SitePattern& p, const Request& r) {
  std::vector<uintptr_t> sectors, addresses(r.address, r.address + r.lanes);
  for (uintptr_t a : addresses)
    for (uintptr_t s = a / kSectorBytes; s <= (a + r.bytes - 1) / kSectorBytes; s++) sectors.push_back(s);
  std::sort(sectors.begin(), sectors.end());
  std::sort(addresses.begin(), addresses.end());
  const uint64_t distinct = (uint64_t)(std::unique(addresses.begin(), addresses.end()) - addresses.begin());
  p.sectors += (uint64_t)(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
  p.ideal_sectors += std::max<uint64_t>(1, (distinct * r.bytes + kSectorBytes - 1) / kSectorBytes);
}

// Different words in one bank are served one after another; the same word is broadcast.
static void count_banks(SitePattern& p, const Request& r) {
  uintptr_t words[kWarpSize];
  for (unsigned i = 0; i < r.lanes; i++) words[i] = r.address[i] / 4;
  std::sort(words, words + r.lanes);
  const unsigned distinct = (unsigned)(std::unique(words, words + r.lanes) - words);
  unsigned in_bank[kBanks] = {}, cycles = 0;
  for (unsigned i = 0; i < distinct; i++) cycles = std::max(cycles, ++in_bank[words[i] % kBanks]);
  p.bank_cycles += cycles;
  p.worst_bank_cycles = std::max<uint64_t>(p.worst_bank_cycles, cycles);
}

void count_round() {
  for (unsigned site : open_sites) {
    SitePattern& p = patterns[site];
    for (const Request& r : p.open) {
      if (!r.lanes) continue;
      p.requests++;
      p.shared ? count_banks(p, r) : count_sectors(p, r);
    }
    p.open.clear();
  }
  open_sites.clear();
}

void count_access(unsigned site, uintptr_t address, unsigned bytes, bool shared, bool is_write) {
  if (site >= patterns.size()) patterns.resize(sites.addresses.size() + 64);
  if (current_warp() != open_warp) {
    count_round();
    open_warp = current_warp();
  }
  SitePattern& p = patterns[site];
  if (!p.used) {
    p.used = true, p.shared = shared, p.is_write = is_write;
    p.kernel = launch.request->kernel, p.array = describe(address, bytes).array;
  }
  if (p.round != block.round) p.round = block.round, p.executions = 0;
  const uint32_t execution = p.executions++;
  if (execution >= kMaxExecutions) return;
  if (p.open.empty()) open_sites.push_back(site);
  if (execution >= p.open.size()) p.open.resize(execution + 1);
  Request& r = p.open[execution];
  r.bytes = bytes;
  if (r.lanes < (unsigned)kWarpSize) r.address[r.lanes++] = address;
}

void count_launch() { launches_counted++; }

void forget_patterns() {
  patterns.clear();
  open_sites.clear();
}

template <class Line>
static std::string for_each_site(Line line) {
  std::string text;
  for (size_t site = 1; site < patterns.size(); site++)
    if (patterns[site].requests) text += line(patterns[site], line_of(sites.addresses[site])) + "\n";
  return text;
}

std::string patterns_json() {
  return for_each_site([](const SitePattern& p, const SourceLine& at) {
    std::string text = format(
        "{\"kernel\":%s,\"file\":%s,\"line\":%d,\"array\":%s,\"space\":\"%s\",\"access\":\"%s\",\"requests\":%llu",
        json_string(p.kernel).c_str(), json_string(at.file).c_str(), at.line, json_string(p.array).c_str(),
        p.shared ? "shared" : "global", p.is_write ? "write" : "read", (unsigned long long)p.requests);
    const double n = (double)p.requests;
    if (p.shared)
      return text + format(",\"bank_ways\":%.2f,\"worst_bank_ways\":%llu}", (double)p.bank_cycles / n,
                           (unsigned long long)p.worst_bank_cycles);
    return text +
           format(",\"sectors\":%.2f,\"ideal_sectors\":%.2f}", (double)p.sectors / n, (double)p.ideal_sectors / n);
  });
}

std::string patterns_text() {
  return for_each_site([](const SitePattern& p, const SourceLine& at) {
    const double n = (double)p.requests;
    const std::string where = format("%s %s %s", at.text().c_str(), p.is_write ? "write" : "read", p.array.c_str());
    if (p.shared)
      return where + (p.worst_bank_cycles > 1 ? format(": %.1f-way bank conflict", (double)p.bank_cycles / n)
                                              : ": no bank conflict");
    return where + format(": %.1f sectors per warp request, ideal %.1f (%.0f %%)", (double)p.sectors / n,
                          (double)p.ideal_sectors / n, 100.0 * (double)p.ideal_sectors / (double)p.sectors);
  });
}

}  // namespace cudasim
