"""The exercises and assignments as data: loaded from TOML, checked, and never guessed at.

A mistake in a definition file is the instructor's, so it stops with file, line and key.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).resolve().parent
LAYOUTS = ("files of this tree", "dlsys-hw3")  # how a submission's folder is read; the first unless an assignment says
# What comes after the dot of an id: a device, or the part of the library that an exercise belongs to.
BACKENDS = ("views", "cpu", "cuda", "autograd", "numpy", "dispatch", "binding", "gradient")
LANGUAGES = {".py": "python", ".cc": "c++", ".cu": "cuda"}


class DefinitionError(Exception):
    """A definition file says something it must not: carries the place, and prints as one line."""

    def __init__(self, path: Path, line: int, key: str, message: str) -> None:
        super().__init__(f"{path}:{line}: {key}: {message}")


@dataclass(frozen=True)
class Check:
    """A named sub-check: its share of the exercise's points and the sentence of the task that it tests."""

    name: str
    points: float
    cites: str


@dataclass(frozen=True)
class Exercise:
    """One exercise: what the student fills in, where, and what is asked of it."""

    id: str
    title: str
    file: str
    functions: tuple[str, ...]
    lines: int
    hints: tuple[str, ...]
    checks: tuple[Check, ...]
    layout: str = LAYOUTS[0]  # of the submission's folder

    @property
    def of_a_course(self) -> bool:
        """Whether the submission lies in a public course's layout."""
        return self.layout != LAYOUTS[0]

    @property
    def family(self) -> str:
        """The part of the id before the dot: `compact` of `compact.cpu`."""
        return self.id.split(".")[0]

    @property
    def backend(self) -> str:
        """The part of the id after the dot: `views`, `cpu`, `cuda`, ..."""
        return self.id.split(".")[1]

    @property
    def language(self) -> str:
        """`python`, `c++` or `cuda`, by the suffix of the file."""
        return LANGUAGES[Path(self.file).suffix]


@dataclass(frozen=True)
class Assignment:
    """A selection of exercises with points, and where each exercise's file lies in a submission.

    `rules` restates an exercise's checks: name and the sentence it cites, in order; an empty sentence makes advice.
    """

    name: str
    title: str
    points: dict[str, float]
    devices: tuple[str, ...]
    files: dict[str, str]
    layout: str = LAYOUTS[0]
    rules: dict[str, dict[str, str]] = field(default_factory=dict)


class _Table:
    """One TOML table with the line it starts in, so that every complaint has a place."""

    def __init__(self, path: Path, text: str, header: str, values: Any) -> None:
        self.path, self.values = path, values
        self.source = text.splitlines()
        wanted = {f"[{header}]", f"[{header.replace(chr(34), chr(39))}]"}
        self.start = next((i for i, line in enumerate(self.source, 1) if line.strip() in wanted), 1)
        if not isinstance(values, dict):
            self.fail(header, "must be a table")

    def line_of(self, key: str) -> int:
        pattern = re.compile(rf"^\s*[\"']?{re.escape(key)}[\"']?\s*=")
        for number in range(self.start, len(self.source)):
            if self.source[number].startswith("["):
                break
            if pattern.match(self.source[number]):
                return number + 1
        return self.start

    def fail(self, key: str, message: str, line: int | None = None) -> None:
        raise DefinitionError(self.path, line or self.line_of(key), key, message)

    def only(self, allowed: set[str]) -> None:
        for key in self.values:
            if key not in allowed:
                self.fail(key, f"unknown key; known are {', '.join(sorted(allowed))}")

    def get(self, key: str, kind: type | tuple[type, ...], what: str, default: Any = None) -> Any:
        if key not in self.values:
            if default is not None:
                return default
            self.fail(key, "missing", self.start)
        value = self.values[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            self.fail(key, f"must be {what}, not {value!r}")
        return value

    def strings(self, key: str) -> tuple[str, ...]:
        value = self.get(key, list, "a list of strings")
        if not value or not all(isinstance(item, str) and item for item in value):
            self.fail(key, "must be a list of strings, none of them empty")
        return tuple(value)


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
        return text, tomllib.loads(text)
    except OSError as error:
        raise DefinitionError(path, 1, "file", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise DefinitionError(path, 1, "file", "is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        raise DefinitionError(path, int(found[1]) if found else 1, "file", f"is not TOML: {error}") from None


def _checks(table: _Table) -> tuple[Check, ...]:
    checks: list[Check] = []
    start = table.line_of("checks")
    for position, entry in enumerate(table.get("checks", list, "a list of tables"), 1):
        name = entry.get("name") if isinstance(entry, dict) else None
        shown = f'name = "{name}"'
        line = next((i for i, text in enumerate(table.source[start:], start + 1) if shown in text), start)
        if not isinstance(name, str) or not re.fullmatch(r"[a-z0-9_\-]+", name):
            raise DefinitionError(table.path, line, "checks", f"entry {position} needs a name in lower case")
        unknown = set(entry) - {"name", "points", "cites"}
        if unknown:
            table.fail("checks", f"{name}: unknown key {sorted(unknown)[0]!r}", line)
        points, cites = entry.get("points", 1), entry.get("cites", "")
        if isinstance(points, bool) or not isinstance(points, (int, float)) or not 0 <= points < 1e6:
            table.fail("checks", f"{name}: points must be a number from 0, not {points!r}", line)
        if not isinstance(cites, str):
            table.fail("checks", f"{name}: cites must be a sentence, not {cites!r}", line)
        if any(check.name == name for check in checks):
            table.fail("checks", f"{name} is there twice", line)
        checks.append(Check(name, float(points) if cites else 0.0, cites))
    if not checks:
        table.fail("checks", "must not be empty")
    return tuple(checks)


def _exercise(exercise_id: str, table: _Table) -> Exercise:
    if not re.fullmatch(rf"[a-z0-9_]+\.({'|'.join(BACKENDS)})", exercise_id):
        table.fail(exercise_id, f"an id is family.backend with backend {', '.join(BACKENDS)}", table.start)
    table.only({"title", "file", "functions", "lines", "hints", "checks"})
    file = table.get("file", str, "a path")
    if Path(file).suffix not in LANGUAGES or Path(file).is_absolute() or ".." in Path(file).parts:
        table.fail("file", f"must be a relative path ending in {', '.join(LANGUAGES)}, not {file!r}")
    lines = table.get("lines", int, "a whole number")
    hints = table.strings("hints")
    if len(hints) != 3:
        table.fail("hints", f"must be three steps, not {len(hints)}")
    title = table.get("title", str, "a string")
    return Exercise(exercise_id, title, file, table.strings("functions"), lines, hints, _checks(table))


def load_exercises(path: Path = HERE / "exercises.toml") -> dict[str, Exercise]:
    """All exercises by id, in course order.

    Errors: DefinitionError with file, line and key.
    """
    text, data = _read(path)
    top = _Table(path, text, "", data)
    top.only({"exercise"})
    entries = top.get("exercise", dict, 'tables named exercise."id"')
    return {key: _exercise(key, _Table(path, text, f'exercise."{key}"', value)) for key, value in entries.items()}


def load_assignment(name: str, exercises: Mapping[str, Exercise]) -> Assignment:
    """The assignment of that name (a file of autograder/assignments) or at that path.

    Errors: DefinitionError with file, line and key.
    """
    path = Path(name) if name.endswith(".toml") else HERE / "assignments" / f"{name}.toml"
    text, data = _read(path)
    top = _Table(path, text, "", data)
    top.only({"title", "devices", "points", "files", "layout", "rules"})
    layout = top.get("layout", str, "a string", LAYOUTS[0])
    if layout not in LAYOUTS:
        top.fail("layout", f"no such layout; known are {', '.join(LAYOUTS)}")
    points = _Table(path, text, "points", top.get("points", dict, "a table"))
    for key, value in points.values.items():
        if key not in exercises:
            points.fail(key, f"no such exercise; known are {', '.join(exercises)}")
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e6:
            points.fail(key, f"points must be a number from 0, not {value!r}")
    files = _Table(path, text, "files", data.get("files", {}))
    known = {exercise.file for exercise in exercises.values()}
    for key, value in files.values.items():
        if key not in known:
            files.fail(key, "is no exercise's file")
        if not isinstance(value, str) or Path(value).is_absolute() or ".." in Path(value).parts:
            files.fail(key, f"must name a relative path, not {value!r}")
    rules = _Table(path, text, "rules", data.get("rules", {}))
    for key, value in rules.values.items():
        table = _Table(path, text, f'rules."{key}"', value)
        if key not in exercises:
            rules.fail(key, f"no such exercise; known are {', '.join(exercises)}", table.start)
        for name in table.values:
            table.get(name, str, "a sentence, or an empty string for advice")
    in_order = {key: float(points.values[key]) for key in exercises if key in points.values}
    title = top.get("title", str, "a string")
    devices = top.strings("devices")
    return Assignment(path.stem, title, in_order, devices, dict(files.values), layout, dict(rules.values))


def tailored(exercises: Mapping[str, Exercise], assignment: Assignment) -> dict[str, Exercise]:
    """The exercises as an assignment states them: with its own rules, and in a course's layout with its own files."""
    made = dict(exercises)
    for key, rules in assignment.rules.items():
        shares = {check.name: check.points for check in exercises[key].checks}
        checks = tuple(Check(name, shares.get(name, 1.0) if cites else 0.0, cites) for name, cites in rules.items())
        made[key] = replace(exercises[key], checks=checks)
    if assignment.layout != LAYOUTS[0]:
        layout, files = assignment.layout, assignment.files
        made = {key: replace(each, file=files.get(each.file, each.file), layout=layout) for key, each in made.items()}
    return made
