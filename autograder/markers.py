"""Solution blocks: one strict grammar for Python, C++ and CUDA.

A block is opened by a line that, stripped, is `// BEGIN SOLUTION <id>` (C++, CUDA) or `# BEGIN SOLUTION <id>` (Python)
and closed by the same with END. An id may have several blocks in its file; blocks never nest. `(helpers)` or `(kernel)`
after the id of the BEGIN line marks definitions at namespace scope or device code, where the stub is only a comment.
Whatever looks like a marker and is none stops with file and line: a typo must never leak a solution into a handout.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

COMMENT = {".py": "#", ".cc": "//", ".cu": "//", ".h": "//", ".cuh": "//"}
_EXACT = re.compile(
    r"(?P<comment>//|#) (?P<side>BEGIN|END) SOLUTION (?P<id>[a-z0-9_]+\.[a-z]+)(?: \((?P<kind>helpers|kernel)\))?"
)
_COURSE = re.compile(r"(?P<comment>///|###) (?P<side>BEGIN|END)(?: YOUR)? SOLUTION")
_NEAR = re.compile(r"(?://|#|/\*)[/#*\s]*([A-Za-z]+[\s_\-]*[A-Za-z]+)((?:[\s_\-]+[A-Za-z]+)?)")


class MarkerError(Exception):
    """A marker that breaks the grammar: carries the place, and prints as one line."""

    def __init__(self, path: Path | str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.line = line


@dataclass(frozen=True)
class Block:
    """One solution block: `begin` and `end` are the line numbers (from 1) of its markers."""

    id: str
    kind: str  # "", "helpers" or "kernel"
    begin: int
    end: int
    indent: str


def _looks_like_marker(line: str) -> bool:
    """True for what was meant as a marker: any comment whose first two words are nearly BEGIN or END, SOLUTION."""
    for found in _NEAR.finditer(line):
        words = re.sub(r"[\s_\-]+", " ", found[1]).upper()
        first, _, second = words.partition(" ")
        third = found[2].strip(" \t_-").upper()
        for side in ("BEGIN", "END"):
            near = difflib.SequenceMatcher(None, f"{side} SOLUTION", words).ratio()
            named = first == side and (second.startswith("SOL") or third.startswith("SOL"))
            if near >= 0.84 or named or words.startswith(f"{side}SOL"):
                return True
    return False


def parse(text: str, path: Path | str, known: Collection[str] | None = None, course: bool = False) -> list[Block]:
    """The blocks of a file, in order; `known` are the ids that may occur, `course` reads the public courses' spellings.

    Errors: MarkerError for a nested, stray, unclosed, mismatched, misspelt or unknown marker, with file and line.
    """
    comment = COMMENT.get(Path(path).suffix, "//")
    blocks: list[Block] = []
    opened: tuple[int, str, str, str] | None = None  # line, id, kind, indent
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        found = (_COURSE if course else _EXACT).fullmatch(stripped)
        if found is None:
            if not course and _looks_like_marker(line):
                raise MarkerError(
                    path,
                    number,
                    f"looks like a marker but is none: {stripped!r}; "
                    f"write '{comment} BEGIN SOLUTION <id>' alone on its line",
                )
            continue
        name = "" if course else found["id"]
        kind = "" if course else found["kind"] or ""
        if found["comment"].rstrip("/#") or not found["comment"].startswith(comment):
            raise MarkerError(path, number, f"a marker in this file starts with '{comment}'")
        if not course and known is not None and name not in known:
            raise MarkerError(path, number, f"unknown exercise {name!r}; this file holds {', '.join(known) or 'none'}")
        if found["side"] == "BEGIN":
            if opened:
                raise MarkerError(path, number, f"block {name} opens inside the block {opened[1]} of line {opened[0]}")
            opened = (number, name, kind, line[: len(line) - len(line.lstrip())])
            continue
        if opened is None:
            raise MarkerError(path, number, f"END SOLUTION {name} without a BEGIN".replace("  ", " "))
        if opened[1] != name:
            raise MarkerError(path, number, f"END SOLUTION {name} closes the block {opened[1]} of line {opened[0]}")
        if kind:
            raise MarkerError(path, number, f"({kind}) belongs to the BEGIN line only")
        blocks.append(Block(name, opened[2], opened[0], number, opened[3]))
        opened = None
    if opened:
        raise MarkerError(path, opened[0], f"BEGIN SOLUTION {opened[1]} is never closed".replace("  ", " "))
    return blocks


def body(text: str, block: Block) -> str:
    """The lines between a block's markers."""
    return "".join(text.splitlines(keepends=True)[block.begin : block.end - 1])


def replace(text: str, blocks: Collection[Block], contents: dict[Block, str]) -> str:
    """The text with the bodies of some blocks replaced; markers and everything outside stay."""
    lines = text.splitlines(keepends=True)
    for block in sorted(blocks, key=lambda each: each.begin, reverse=True):
        if block in contents:
            lines[block.begin : block.end - 1] = [contents[block]]
    return "".join(lines)


def stub(block: Block, path: Path | str, newline: str = "\n") -> str:
    """What stands in a block of the handout: the one line that makes the exercise unfinished, or only a comment."""
    comment = COMMENT[Path(path).suffix]
    if block.kind:
        return f"{block.indent}{comment} Your {block.kind} for {block.id}, if you want any.{newline}"
    if comment == "#":
        return f'{block.indent}raise unfinished("{block.id}"){newline}'
    return f'{block.indent}UNFINISHED("{block.id}");{newline}'


def strip(
    text: str, path: Path | str, known: Collection[str] | None = None, only: Collection[str] | None = None
) -> str:
    """The text as a handout shows it: every block (or those of the ids in `only`) holds its stub."""
    blocks = parse(text, path, known)
    newline = "\r\n" if "\r\n" in text else "\n"
    chosen = [block for block in blocks if only is None or block.id in only]
    return replace(text, blocks, {block: stub(block, path, newline) for block in chosen})


def outside(text: str, blocks: Collection[Block]) -> str:
    """Everything but the bodies of the blocks, with line ends and trailing blanks made equal: what a student keeps."""
    kept = replace(text, blocks, {block: "" for block in blocks})
    return "\n".join(line.rstrip() for line in kept.splitlines())
