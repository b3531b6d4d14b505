"""The undefined symbols of a student's object: what it asks other libraries for, however the source spelled it.

The compiler writes the object, but out of text of unknown origin: everything is bounds-checked, and what cannot be read
is nothing that a compiler of ours writes.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

SYMBOL_TABLE = 2
ENTRY = struct.Struct("<IBBHQQ")
SECTION = struct.Struct("<IIQQQQIIQQ")
# Where a name can be looked up while running, Python can be called, or another process be started.
ODD = re.compile(
    r"dl(v?sym|m?open|addr\w*|info|_iterate_phdr)|__libc_dl\w+|_?Py[A-Z_]\w*|system|popen|fork|vfork|clone|exec\w+|posix_spawnp?"
    r"|syscall|ptrace|process_vm_\w+|mprotect|sigaction|signal|_?exit|_Exit|quick_exit|kill|raise"
)


def undefined(path: Path) -> frozenset[str]:
    """The names that a 64-bit little-endian ELF object leaves to others.

    Errors: ValueError when it is no such object.
    """
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a 64-bit ELF object")
    try:
        (start,) = struct.unpack_from("<Q", data, 0x28)
        size, count = struct.unpack_from("<HH", data, 0x3A)
        if size != SECTION.size:
            raise ValueError("sections of an unknown size")
        sections = [SECTION.unpack_from(data, start + size * k) for k in range(count or _many(data, start))]
        tables = [each for each in sections if each[1] == SYMBOL_TABLE]
        names: set[str] = set()
        for _, _, _, _, offset, length, link, *_ in tables:
            strings = data[sections[link][4] : sections[link][4] + sections[link][5]]
            for at in range(offset, offset + length, ENTRY.size):
                name, _, _, section, _, _ = ENTRY.unpack_from(data, at)
                if section == 0 and name:
                    names.add(strings[name : strings.index(b"\0", name)].decode("utf-8", errors="replace"))
    except (struct.error, IndexError) as error:
        raise ValueError(str(error)) from None
    return frozenset(names)


def _many(data: bytes, start: int) -> int:
    """The number of sections where it does not fit into the header: the first section's size says it."""
    return int(SECTION.unpack_from(data, start)[5])


def odd(names: frozenset[str]) -> list[str]:
    """Those that no kernel file needs: worth a remark."""
    return sorted(name for name in names if ODD.fullmatch(name))
