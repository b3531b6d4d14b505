"""Which files of a tree count as the submission: the exercises' own files, regular and of a sane size; nothing else.

Reading is all that happens here. What is odd about a submission is a remark, never a punishment.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autograder import markers
from autograder.course import source as course_source
from autograder.exercise import Exercise

LARGEST_BYTES = 1 << 20
MANIFEST = ".needle-handout.json"  # in a handout: the hash of every exercise file outside its blocks


@dataclass(frozen=True)
class Submission:
    """The bytes of each exercise file by its path, why a file is missing, and remarks on what looks odd."""

    files: dict[str, bytes]
    missing: dict[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """A hash of everything that counts: names and bytes, in order of name."""
        digest = hashlib.sha256()
        for name in sorted(self.files):
            digest.update(f"{name}\0{len(self.files[name])}\0".encode() + self.files[name])
        return digest.hexdigest()


def read_regular(folder: Path, name: str) -> bytes:
    """The bytes of a regular file below `folder`, reached without following any link.

    Errors: OSError or ValueError whose text says why not.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        *parents, last = Path(name).parts
        for parent in parents:
            following = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = following
        file = os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=descriptor)
    finally:
        os.close(descriptor)
    with os.fdopen(file, "rb") as opened:
        told = os.fstat(opened.fileno())
        if not stat.S_ISREG(told.st_mode):
            raise ValueError("is not a regular file")
        if told.st_size > LARGEST_BYTES:
            raise ValueError(f"has {told.st_size} bytes; at most {LARGEST_BYTES} are taken")
        return opened.read(LARGEST_BYTES)


def collect(tree: Path, exercises: Iterable[Exercise], renamed: Mapping[str, str] | None = None) -> Submission:
    """The submission in `tree`; `renamed` says where an exercise's file lies if not at its usual place."""
    by_file: dict[str, list[Exercise]] = {}
    for exercise in exercises:
        by_file.setdefault(exercise.file, []).append(exercise)
    files: dict[str, bytes] = {}
    missing: dict[str, str] = {}
    remarks: list[str] = []
    given = _manifest(tree)
    for name, tasks in by_file.items():
        place = (renamed or {}).get(name, name)
        try:
            files[name] = read_regular(tree, place)
        except FileNotFoundError:
            missing[name] = f"{place} is not there"
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            missing[name] = f"{place}: {reason}; the grader takes regular files only"
        else:
            if tasks[0].of_a_course:
                functions = [function for task in tasks for function in task.functions]
                remarks += course_source.remarks(place, files[name], functions)
            else:
                remarks += _remarks(place, files[name], [task.id for task in tasks], given.get(name))
    return Submission(files, missing, tuple(remarks))


def outside_hash(text: str, name: str) -> str:
    """The hash of what stands outside the solution blocks of a file.

    Errors: MarkerError for broken markers.
    """
    return hashlib.sha256(markers.outside(text, markers.parse(text, name)).encode()).hexdigest()


def assignment_of(tree: Path) -> str:
    """The assignment that a tree is the handout of, as its manifest says; empty if it is none."""
    try:
        return str(json.loads(read_regular(tree, MANIFEST))["assignment"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _manifest(tree: Path) -> dict[str, str]:
    try:
        told = json.loads(read_regular(tree, MANIFEST))
        return {str(name): str(value) for name, value in told["outside"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # not a handout: nothing to compare with


def _remarks(place: str, source: bytes, ids: list[str], given: str | None) -> list[str]:
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        return [f"{place}:{line}: is not UTF-8 text"]
    try:
        found = {block.id for block in markers.parse(text, place)}
        changed = given is not None and outside_hash(text, place) != given
    except markers.MarkerError as error:
        return [str(error)]
    remarks = [f"{place}: the markers of {each} are gone" for each in ids if each not in found]
    if changed:
        remarks.append(f"{place}: differs from the handout outside the solution blocks")
    return remarks


def unfinished_functions(source: bytes, exercise: Exercise) -> frozenset[str]:
    """The functions of an exercise whose body still holds the stub, as the source says: the child is not asked."""
    text = source.decode("utf-8", errors="replace")
    holds = _holds_python if exercise.language == "python" else _holds_cpp
    if exercise.language != "python":
        text = _without_comments(text)
    return frozenset(name for name in exercise.functions if holds(text, name))


def _holds_python(text: str, name: str) -> bool:
    """Whether a function's body holds the stub; `Class.method` names one method."""
    owner, _, name = name.rpartition(".")
    if owner:
        body = re.search(rf"^class {re.escape(owner)}\b.*\n((?:[ \t]+.*\n|\s*\n|#.*\n)*)", text + "\n", re.MULTILINE)
        text = body[1] if body else ""
    for found in re.finditer(rf"^([ \t]*)def {re.escape(name)}\b.*$", text, re.MULTILINE):
        for line in text[found.end() :].splitlines():
            inside = not line.strip() or line.startswith((found[1] + " ", found[1] + "\t"))
            if not inside and not line.strip().startswith((")", "#")):
                break
            if re.match(r"\s*raise unfinished\(", line):
                return True
    return False


def _without_comments(text: str) -> str:
    """C++ without comments; string and character literals stay, line ends too."""
    pattern = r"//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)|(\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
    return re.sub(pattern, lambda found: found[1] or "\n" * found[0].count("\n"), text, flags=re.DOTALL)


def _holds_cpp(text: str, name: str) -> bool:
    for found in re.finditer(rf"\b{re.escape(name)}\s*\(", text):
        close = _matching(text, found.end() - 1, "()")
        opened = re.compile(r"\s*(?:noexcept\s*)?\{").match(text, close + 1)
        if opened:
            end = _matching(text, opened.end() - 1, "{}")
            if re.search(r"\bUNFINISHED\s*\(", text[opened.end() : end]):
                return True
    return False


def _matching(text: str, start: int, pair: str) -> int:
    """The position of the bracket that closes the one at `start`, or the end of the text."""
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] == pair[0]) - (text[position] == pair[1])
        if depth == 0:
            return position
    return len(text)
