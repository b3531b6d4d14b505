#include "dwarf_lines.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#ifdef __linux__
#include <elf.h>

#include "dwarf_reader.h"
#endif

namespace cudasim {

const LineRow* LineTable::find(uint64_t address) const {
  auto after = std::upper_bound(rows.begin(), rows.end(), address,
                                [](uint64_t a, const LineRow& row) { return a < row.address; });
  if (after == rows.begin()) return nullptr;
  const LineRow& row = *std::prev(after);
  return row.line ? &row : nullptr;
}

#ifndef __linux__
LineTable read_line_table(const std::string&) { return {}; }
#else

namespace {

struct Sections {
  std::vector<char> image;
  Reader line = {nullptr, nullptr}, line_strings = {nullptr, nullptr}, strings = {nullptr, nullptr};
};

bool read_sections(const std::string& path, Sections& sections) {
  std::ifstream file(path, std::ios::binary);
  sections.image.assign(std::istreambuf_iterator<char>(file), {});
  const std::vector<char>& image = sections.image;
  Elf64_Ehdr header;
  if (image.size() < sizeof header) return false;
  memcpy(&header, image.data(), sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) return false;
  if (header.e_shoff + (uint64_t)header.e_shnum * sizeof(Elf64_Shdr) > image.size() ||
      header.e_shstrndx >= header.e_shnum)
    return false;
  std::vector<Elf64_Shdr> table(header.e_shnum);
  memcpy(table.data(), image.data() + header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr));
  const Elf64_Shdr& names = table[header.e_shstrndx];
  for (const Elf64_Shdr& section : table) {
    const bool inside = section.sh_offset + section.sh_size <= image.size() && section.sh_type == SHT_PROGBITS;
    if (!inside || (section.sh_flags & SHF_COMPRESSED) || names.sh_offset + section.sh_name >= image.size()) continue;
    const uint8_t* begin = (const uint8_t*)image.data() + section.sh_offset;
    const Reader whole = {begin, begin + section.sh_size};
    const std::string name(image.data() + names.sh_offset + section.sh_name);
    if (name == ".debug_line") sections.line = whole;
    if (name == ".debug_line_str") sections.line_strings = whole;
    if (name == ".debug_str") sections.strings = whole;
  }
  return !sections.line.empty();
}

struct Header {
  int version, address_bytes = 8, offset_bytes = 4;
  uint8_t min_length, line_range, opcode_base;
  int8_t line_base;
  std::vector<uint8_t> operand_counts;
  std::vector<int> file_index;  // of the unit's file numbers in LineTable::files
};

std::string indirect(Reader section, uint64_t offset) {
  section.skip(offset);
  return section.string();
}

// One value of a DWARF 5 file or directory entry: text or number, by its form.
void read_form(Reader& in, const Sections& sections, const Header& header, uint64_t form, std::string& text,
               uint64_t& number) {
  auto offset = [&] { return header.offset_bytes == 8 ? in.number<uint64_t>() : in.number<uint32_t>(); };
  switch (form) {
    case 0x08:
      text = in.string();
      break;  // string
    case 0x1f:
      text = indirect(sections.line_strings, offset());
      break;  // line_strp
    case 0x0e:
      text = indirect(sections.strings, offset());
      break;  // strp
    case 0x0b:
      number = in.number<uint8_t>();
      break;  // data1
    case 0x05:
      number = in.number<uint16_t>();
      break;  // data2
    case 0x06:
      number = in.number<uint32_t>();
      break;  // data4
    case 0x07:
      number = in.number<uint64_t>();
      break;  // data8
    case 0x0f:
      number = in.uleb();
      break;  // udata
    case 0x1e:
      in.skip(16);
      break;  // data16: a checksum
    case 0x09:
      in.skip(in.uleb());
      break;  // block
    default:
      in.at = in.end;  // unknown: the unit's names are lost
  }
}

struct Entry {
  std::string name;
  uint64_t directory = 0;
};

std::vector<Entry> read_entries_v5(Reader& in, const Sections& sections, const Header& header) {
  std::vector<std::pair<uint64_t, uint64_t>> format(in.number<uint8_t>());
  for (auto& field : format) field.first = in.uleb(), field.second = in.uleb();
  const uint64_t count = in.uleb();
  std::vector<Entry> entries;
  for (uint64_t i = 0; i < count && !in.empty(); i++) {
    Entry entry;
    for (auto& field : format) {
      std::string text;
      uint64_t number = 0;
      read_form(in, sections, header, field.second, text, number);
      if (field.first == 1) entry.name = text;         // DW_LNCT_path
      if (field.first == 2) entry.directory = number;  // DW_LNCT_directory_index
    }
    entries.push_back(entry);
  }
  return entries;
}

void read_names_v4(Reader& in, std::vector<Entry>& directories, std::vector<Entry>& files) {
  directories.push_back({});  // number 0 is the directory of the compilation
  for (std::string name = in.string(); !name.empty(); name = in.string()) directories.push_back({name, 0});
  files.push_back({});
  for (std::string name = in.string(); !name.empty(); name = in.string()) {
    files.push_back({name, in.uleb()});
    in.uleb(), in.uleb();  // time, size
  }
}

bool read_header(Reader& in, const Sections& sections, Header& header, LineTable& table) {
  header.version = in.number<uint16_t>();
  if (header.version < 2 || header.version > 5) return false;
  if (header.version == 5) header.address_bytes = in.number<uint8_t>(), in.number<uint8_t>();
  const uint64_t header_bytes = header.offset_bytes == 8 ? in.number<uint64_t>() : in.number<uint32_t>();
  const uint8_t* program = in.at + std::min<uint64_t>(header_bytes, (uint64_t)(in.end - in.at));
  header.min_length = in.number<uint8_t>();
  if (header.version >= 4) in.number<uint8_t>();  // operations per instruction: 1 on our machines
  in.number<uint8_t>();                           // default is_stmt
  header.line_base = in.number<int8_t>(), header.line_range = in.number<uint8_t>(),
  header.opcode_base = in.number<uint8_t>();
  if (!header.line_range || !header.opcode_base) return false;
  header.operand_counts.assign(1, 0);
  for (int i = 1; i < header.opcode_base; i++) header.operand_counts.push_back(in.number<uint8_t>());
  std::vector<Entry> directories, files;
  if (header.version == 5) {
    directories = read_entries_v5(in, sections, header);
    files = read_entries_v5(in, sections, header);
  } else {
    read_names_v4(in, directories, files);
  }
  for (const Entry& file : files) {
    const std::string directory = file.directory < directories.size() ? directories[file.directory].name : "";
    const bool bare = directory.empty() || file.name[0] == '/';
    header.file_index.push_back((int)table.files.size());
    table.files.push_back(bare ? file.name : directory + "/" + file.name);
  }
  in.at = program;
  return true;
}

// The state machine that one unit's line program drives.
struct LineMachine {
  const Header& header;
  LineTable& table;
  uint64_t address = 0, file = 1;
  int64_t line = 1;

  void emit(bool end) {
    const int index = file < header.file_index.size() ? header.file_index[file] : -1;
    if (index >= 0 && (end || line > 0)) table.rows.push_back({address, index, end ? 0 : (int)line});
  }
  void advance(uint64_t operation) { address += operation * header.min_length; }

  void special(uint8_t opcode) {
    const int adjusted = opcode - header.opcode_base;
    advance((uint64_t)(adjusted / header.line_range));
    line += header.line_base + adjusted % header.line_range;
    emit(false);
  }

  void extended(Reader& in) {
    const uint64_t bytes = in.uleb();
    const uint8_t* next = in.at + std::min<uint64_t>(bytes, (uint64_t)(in.end - in.at));
    const uint8_t opcode = bytes ? in.number<uint8_t>() : 0;
    if (opcode == 1) emit(true), address = 0, file = 1, line = 1;
    if (opcode == 2) address = header.address_bytes == 8 ? in.number<uint64_t>() : in.number<uint32_t>();
    in.at = next;
  }

  void standard(uint8_t opcode, Reader& in) {
    switch (opcode) {
      case 1:
        return emit(false);
      case 2:
        return advance(in.uleb());
      case 3:
        line += in.sleb();
        return;
      case 4:
        file = in.uleb();
        return;
      case 8:
        return advance((uint64_t)((255 - header.opcode_base) / header.line_range));
      case 9:
        address += in.number<uint16_t>();
        return;
      default:
        for (int i = 0; i < header.operand_counts[opcode]; i++) in.uleb();
    }
  }

  void run(Reader in) {
    while (!in.empty()) {
      const uint8_t opcode = in.number<uint8_t>();
      if (opcode >= header.opcode_base)
        special(opcode);
      else if (opcode == 0)
        extended(in);
      else
        standard(opcode, in);
    }
  }
};

}  // namespace

LineTable read_line_table(const std::string& elf_path) {
  LineTable table;
  Sections sections;
  if (!read_sections(elf_path, sections)) return table;
  Reader in = sections.line;
  while (!in.empty()) {
    Header header;
    uint64_t bytes = in.number<uint32_t>();
    if (bytes == 0xffffffff) header.offset_bytes = 8, bytes = in.number<uint64_t>();
    Reader unit = {in.at, in.at + std::min<uint64_t>(bytes, (uint64_t)(in.end - in.at))};
    in.at = unit.end;
    if (read_header(unit, sections, header, table)) LineMachine{header, table}.run(unit);
  }
  // At one address the end of a sequence sorts before the beginning of the next.
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const LineRow& a, const LineRow& b) {
    return a.address != b.address ? a.address<b.address : (a.line == 0)>(b.line == 0);
  });
  return table;
}

#endif

}  // namespace cudasim
