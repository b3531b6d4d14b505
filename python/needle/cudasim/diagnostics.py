"""What a compiler says, in the student's terms: his file, his line, his text; never the translated one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from needle.cudasim import unsupported
from needle.cudasim.unit import Problem

_LOCATED = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)?\s+(?P<kind>fatal error|error|note|warning)?:?\s*(?P<text>.*)$"
)
_INSIDE = re.compile(r"^(?:In file included )?\s*from (?P<file>[^:\n]+):(?P<line>\d+)[:,]")
_UNDECLARED = re.compile(
    r"['‘](?P<name>\w+)['’] (?:was not declared|has not been declared|does not name a type)"
    r"|(?:use of undeclared identifier|unknown type name) '(?P<clang>\w+)'"
    r"|there are no arguments to ['‘](?P<late>\w+)['’]"
)
_MISSING = re.compile(r"(?P<gcc>\S+): No such file or directory|'(?P<clang>[^']+)' file not found")
_NAMED = re.compile(r'"cudasim: ([^"]+)"')
_ALIASES = re.compile(r"\s*(?:\{aka[^}]*\}|\(aka '[^']*'\))")
# Messages about generated code that stand for one thing a student can have done.
_MEANINGS = (
    (re.compile(r"no match for call .*cudasim|for call to object of type '(?:Generic)?Kernel<|cudasim.*operator\(\)"),
     "the launch's arguments do not fit the kernel's parameters"),
    (re.compile(r"configure\b"), "the values between <<< and >>> are not a grid, a block, bytes and a stream"),
    (re.compile(r"cudasim::(?:any_)?kernel|cudasim::as_pointer|cudasim::generic_kernel|cudasim_arguments"),
     "this launch does not compile: the kernel's name or its arguments do not fit its declaration"),
    (re.compile(r"cudasim_S\d|cudasim::shared|dynamic_shared"), "this __shared__ declaration does not compile"),
)  # fmt: skip
_GENERAL = frozenset(meaning for _, meaning in _MEANINGS)


@dataclass
class _Message:
    """One error of a compiler with the student's place for it, as far as it is known yet."""

    text: str
    file: str
    line: int
    placed: bool  # file and line are the student's
    derived: bool  # the compiler named a header, and the student's place was found beside it


class CompileError(Exception):
    """A file does not compile: `problems` at the student's lines, and `log` as the compiler wrote it."""

    def __init__(self, problems: list[Problem], log: str = "") -> None:
        self.problems, self.log = problems, log
        super().__init__("\n".join(shown(problem) for problem in problems))


def shown(problem: Problem) -> str:
    """A problem with the student's line under it."""
    try:
        text = Path(problem.file).read_text(encoding="utf-8", errors="replace").splitlines()[problem.line - 1]
    except (OSError, IndexError):
        return str(problem)
    return f"{problem}\n{problem.line:5d} | {text.rstrip()}"


def read_diagnostics(log: str, own: Callable[[str], bool], main: str, includes: bool = False) -> list[Problem]:
    """The errors in a compiler's `log`, at lines of files for which `own` holds, else at `main`.

    With `includes` an error inside a header belongs to the line that includes it (as while preprocessing); else to the
    line that used what the header declares.
    """
    messages: list[_Message] = []
    context: list[tuple[str, int]] = []  # the student's places named since the last error, nearest last
    for line in log.splitlines():
        inside = _INSIDE.match(line)
        found = inside or _LOCATED.match(line)
        if not found or (inside and not includes):
            continue
        place = (found["file"], int(found["line"]))
        if inside or not (found["kind"] or "").endswith("error"):
            _add_place(place, own(place[0]), messages, context)
            continue
        message = _Message(found["text"], *place, own(place[0]), not own(place[0]))
        if not message.placed and context:
            message.file, message.line = context[-1]
            message.placed = True
        messages.append(message)
        context = []
    return _as_problems(messages, main) or [Problem(main, 1, _first_words(log))]


def _add_place(place: tuple[str, int], own: bool, messages: list[_Message], context: list[tuple[str, int]]) -> None:
    """Use a note or "required from here": it belongs to a coming error, or to the last one if that lacks a place."""
    if not own:
        return
    context.append(place)
    if messages and not messages[-1].placed:
        messages[-1].file, messages[-1].line = place
        messages[-1].placed = True


def _as_problems(messages: list[_Message], main: str) -> list[Problem]:
    """One problem per line and thing; what is said about generated code goes where the line has more to say."""
    clear: list[Problem] = []
    vague: list[Problem] = []
    for message in messages:
        file, line = (message.file, message.line) if message.placed else (main, 1)
        problem = Problem(file, line, _in_words(message.text))
        (vague if message.derived or problem.text in _GENERAL else clear).append(problem)
    places = {(problem.file, problem.line) for problem in clear}
    clear += [problem for problem in vague if (problem.file, problem.line) not in places]
    once: dict[tuple[str, int, str], Problem] = {}
    for problem in clear:
        once.setdefault((problem.file, problem.line, problem.text.split("; did you mean")[0]), problem)
    return sorted(once.values(), key=lambda problem: (problem.file, problem.line))


def _in_words(text: str) -> str:
    """A compiler's sentence without what the translator put there."""
    named = _NAMED.search(text)  # an #error of our own headers
    if named:
        return named[1]
    missing = _MISSING.search(text)
    if missing:
        return unsupported.of_header(missing["gcc"] or missing["clang"])
    undeclared = _UNDECLARED.search(text)
    name = next((group for group in undeclared.groups() if group), "") if undeclared else ""
    refused = unsupported.of_name(name)
    if refused:
        return refused
    for pattern, meaning in _MEANINGS:
        if pattern.search(text):
            return meaning
    return "error: " + _ALIASES.sub("", text).replace("‘", "'").replace("’", "'")


def _first_words(log: str) -> str:
    """Something to say when no error has a place: the linker's or the compiler's first line."""
    lines = [line for line in log.splitlines() if line.strip()]
    wanted = [line for line in lines if "error" in line.lower() or "undefined reference" in line]
    return (wanted or lines or ["the compiler failed without a word"])[0].strip()
