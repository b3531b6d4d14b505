// Findings as text for people and as JSON lines for programs.
#include "publish.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "findings.h"
#include "settings.h"
#include "text.h"

namespace cudasim {

// A race of which every write left memory as it was is only a remark.
static void settle_kind(Finding* f) {
  if (f->kind == Kind::race && f->same_value && !f->changed_value) f->kind = Kind::same_value_race;
  if (f->kind == Kind::same_value_race && f->changed_value) f->kind = Kind::race, f->published = false;
}

std::string finding_text(const Finding& f) {
  const Severity severity = severity_of(f.kind);
  std::string text = std::string(kind_name(f.kind)) + (severity == Severity::fault    ? ": "
                                                       : severity == Severity::remark ? " (remark): "
                                                                                      : ": ");
  text += f.message;
  if (f.count > 1) text += format(" [%llu times]", (unsigned long long)f.count);
  return text + ". " + advice_for(f.kind);
}

static std::string json_index(Index3 i) { return format("[%u,%u,%u]", i.x, i.y, i.z); }

std::string finding_json(const Finding& f) {
  std::string text = format("{\"kind\":\"%s\",\"severity\":\"%s\",\"kernel\":%s", kind_name(f.kind),
                            severity_name(severity_of(f.kind)), json_string(f.kernel).c_str());
  if (!f.kernel.empty())
    text += format(",\"launch\":%s,\"grid\":[%u,%u,%u],\"block_size\":[%u,%u,%u],\"block\":%s,\"thread\":%s",
                   json_string(f.launch_place).c_str(), f.grid[0], f.grid[1], f.grid[2], f.block_size[0],
                   f.block_size[1], f.block_size[2], json_index(f.block).c_str(), json_index(f.thread).c_str());
  if (!f.array.empty())
    text += format(",\"array\":%s,\"index\":%lld", json_string(f.array).c_str(), (long long)f.index);
  text += format(",\"file\":%s,\"line\":%d", json_string(f.at.file).c_str(), f.at.line);
  if (f.other.known())
    text += format(",\"other_file\":%s,\"other_line\":%d", json_string(f.other.file).c_str(), f.other.line);
  return text + format(",\"count\":%llu,\"message\":%s,\"advice\":%s}", (unsigned long long)f.count,
                       json_string(f.message).c_str(), json_string(advice_for(f.kind)).c_str());
}

static void record(const std::string& line) {
  const char* where = settings().record;
  if (!where || !*where) return;
  const bool is_descriptor = strspn(where, "0123456789") == strlen(where);
  if (is_descriptor) {
    const ssize_t written = write(atoi(where), line.data(), line.size());
    (void)written;  // a closed pipe must not end the student's program
  } else if (FILE* file = fopen(where, "a")) {
    fputs(line.c_str(), file);
    fclose(file);
  }
}

void publish_findings() {
  for (Finding* f : all_findings()) {
    settle_kind(f);
    if (f->published) continue;
    f->published = true;
    if (!settings().quiet) fprintf(stderr, "cudasim: %s\n", finding_text(*f).c_str());
    record(finding_json(*f) + "\n");
  }
}

}  // namespace cudasim
