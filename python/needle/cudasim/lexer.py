"""Tokens of preprocessed C++ text, with the file and line each of them came from.

The text is what `g++ -E` or `clang++ -E` writes: line markers (`# 12 "kernel.cu" 2`) say where the following lines come
from. Only the student's own files are lexed; what a system header contributed is skipped, so the cost follows the
student's text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

_MARKER = re.compile(r'^[ \t]*#(?:line)? (\d+)(?: "((?:[^"\\\n]|\\.)*)"((?: \d)*))?[ \t]*$', re.M)
_TOKEN = re.compile(
    r"""
  (?P<space>(?:[ \t\r\f\v\n]|\\\n)+)
 |(?P<comment>//[^\n]*|/\*.*?\*/)
 |(?P<string>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"|(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
 |(?P<char>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
 |(?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
 |(?P<name>[^\W\d]\w*)
 |(?P<op>::|->|.)
""",
    re.X | re.S,
)
_DIRECTIVE = re.compile(r"[ \t]*#[^\n]*")


@dataclass(frozen=True)
class Region:
    """A stretch of text between two line markers: `text[start:end]` is line `line` of `file`, and on."""

    start: int
    end: int
    file: str
    line: int
    system: bool


class Token:
    """One token: its kind (name, number, string, char, op), its text and its place in the text."""

    __slots__ = ("kind", "text", "start", "end")

    def __init__(self, kind: str, text: str, start: int, end: int) -> None:
        self.kind, self.text, self.start, self.end = kind, text, start, end

    def __repr__(self) -> str:
        return f"{self.kind}:{self.text}"


class Preprocessed:
    """A preprocessed text cut into regions, which knows the file and line of every offset."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.regions = _regions(text, file)
        self._starts = [region.start for region in self.regions]

    def where(self, offset: int) -> tuple[str, int]:
        """The file and the line number that the text at `offset` came from."""
        region = self.regions[bisect_right(self._starts, offset) - 1]
        return region.file, region.line + self.text.count("\n", region.start, offset)

    def tokens(self) -> list[Token]:
        """All tokens of the student's own files, in order; directives (pragmas) are left out."""
        found: list[Token] = []
        for region in self.regions:
            if not region.system:
                _lex(self.text, region.start, region.end, found)
        return found


def _regions(text: str, file: str) -> list[Region]:
    """Cut `text` at its line markers; a file is a system header if it was entered as one (flags 1 and 3).

    A marker with flag 3 alone does not count: GCC writes it around a system header's macro used in the student's line.
    """
    marks = list(_MARKER.finditer(text))
    system = {m[2] for m in marks if m[3] and "1" in m[3].split() and "3" in m[3].split()} | {
        "<built-in>",
        "<command-line>",
    }
    regions = [Region(0, marks[0].start() if marks else len(text), file, 1, False)]
    name = file
    for i, mark in enumerate(marks):
        end = marks[i + 1].start() if i + 1 < len(marks) else len(text)
        raw = mark[2] if mark[2] is not None else name
        name = raw
        start = min(mark.end() + 1, end)
        regions.append(Region(start, end, raw.replace('\\"', '"').replace("\\\\", "\\"), int(mark[1]), raw in system))
    return regions


def _lex(text: str, start: int, end: int, found: list[Token]) -> None:
    """Append the tokens of `text[start:end]` to `found`."""
    position, line_start = start, True
    while position < end:
        if line_start:
            directive = _DIRECTIVE.match(text, position, end)
            if directive:
                position, line_start = directive.end(), False
                continue
        match = _TOKEN.match(text, position, end)
        assert match is not None, "every character is at least an operator"
        kind, piece = match.lastgroup or "op", match.group()
        position = match.end()
        line_start = kind == "space" and "\n" in piece
        if kind == "space" and line_start:  # stop at the last newline, so that an indented directive is seen as one
            position = match.start() + piece.rindex("\n") + 1
        elif kind not in ("space", "comment"):
            found.append(Token(kind, piece, match.start(), position))
            line_start = False
