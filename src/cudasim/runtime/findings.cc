#include "findings.h"

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "scheduler.h"
#include "text.h"

namespace cudasim {

static std::vector<std::unique_ptr<Finding>> owned;
static std::vector<Finding*> listed;
static std::map<std::tuple<int, int, uint64_t, uint64_t>, Finding*> by_key;
static std::map<std::string, int> kernel_numbers;
static int kernel_number;

static std::tuple<int, int, uint64_t, uint64_t> full_key(const FindingKey& key) {
  return {(int)key.kind, in_kernel ? kernel_number : -1, key.place, key.other_place};
}

void number_kernel(const char* name) {
  kernel_number = kernel_numbers.emplace(name, (int)kernel_numbers.size()).first->second;
}

std::vector<Finding*>& all_findings() { return listed; }

Finding* known_finding(const FindingKey& key) {
  auto found = by_key.find(full_key(key));
  if (found == by_key.end()) return nullptr;
  found->second->count++;
  return found->second;
}

Finding* new_finding(const FindingKey& key) {
  owned.emplace_back(new Finding());
  Finding* f = owned.back().get();
  f->kind = key.kind;
  if (launch.request && (in_kernel || key.kind == Kind::bad_launch || key.kind == Kind::thread_budget)) {
    const cudasim_launch_request& request = *launch.request;
    f->kernel = request.kernel;
    f->launch_place = base_name(request.file) + ":" + std::to_string(request.line);
    for (int i = 0; i < 3; i++) f->grid[i] = request.grid[i], f->block_size[i] = request.block[i];
    if (in_kernel) f->block = launch.block, f->thread = thread_index(block.current);
  }
  by_key[full_key(key)] = f;
  listed.push_back(f);
  return f;
}

void forget_findings() {
  by_key.clear();
  listed.clear();
  owned.clear();
}

std::string index_text(Index3 index) { return format("(%u,%u,%u)", index.x, index.y, index.z); }

std::string who() {
  if (!in_kernel) return "host code";
  const cudasim_launch_request& r = *launch.request;
  return format("%s<<<(%u,%u,%u),(%u,%u,%u)>>> block %s thread %s", r.kernel, r.grid[0], r.grid[1], r.grid[2],
                r.block[0], r.block[1], r.block[2], index_text(launch.block).c_str(),
                index_text(thread_index(block.current)).c_str());
}

// Follows the saved frame pointers of the fiber's stack; checked modules and the runtime are compiled to keep them.
__attribute__((noinline)) std::vector<uintptr_t> call_chain(uintptr_t return_address) {
  std::vector<uintptr_t> chain = {return_address};
  if (!in_kernel) return chain;
  const uintptr_t* frame = (const uintptr_t*)__builtin_frame_address(0);
  bool inside = false;
  for (int depth = 0; depth < 64; depth++) {
    if ((uintptr_t)frame - block.stack_low >= kStackBytes - 16 || (uintptr_t)frame % sizeof(void*)) break;
    if (inside) chain.push_back(frame[1]);
    if (frame[1] == return_address) inside = true;
    if (frame[0] <= (uintptr_t)frame) break;
    frame = (const uintptr_t*)frame[0];
  }
  return chain;
}

}  // namespace cudasim
