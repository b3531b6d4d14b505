"""A verdict file: canonical bytes that follow from submission, assignment and seed alone.

No time, no path, no host, no tier: those stand in the record of the class. A result of one exercise is kept in a cache
under a key of all that can change it, so that nothing unchanged is run twice and an interrupted class goes on.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder import collect, report, sandbox
from autograder.autograd.route import GIVEN as AUTOGRAD_GIVEN
from autograder.boundaries.route import GIVEN as BOUNDARIES_GIVEN
from autograder.case import Finding
from autograder.exercise import Exercise
from autograder.score import CheckResult, ExerciseResult, Result

FORMAT = 1
LEFT_OUT = {"examples", "assignments", "__pycache__"}
SUFFIXES = {".py", ".toml", ".h", ".cuh", ".cc", ".cu"}
GIVEN = (
    *("src/common", "src/backend_cpu", "src/backend_cuda", "python/needle/unfinished.py"),
    *AUTOGRAD_GIVEN,
    *BOUNDARIES_GIVEN,
    *("src/cudasim", "src/cudasim/flags.json", "python/needle/cudasim", "src/cmake/compile_cudasim.py"),
)


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def grader_sha256(root: Path) -> str:
    """A hash of all of the instructor's that can change a verdict: the grader, the exercises, the given parts."""
    files = [path for path in (root / "autograder").rglob("*") if path.suffix in SUFFIXES]
    files = [path for path in files if not LEFT_OUT & set(path.relative_to(root).parts)]
    for name in GIVEN:
        place = root / name
        files += [place] if place.is_file() else [each for each in place.rglob("*") if each.suffix in SUFFIXES]
    contents = {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    return _digest(contents)


def assignment_sha256(
    grader: str, exercises: Iterable[Exercise], points: Mapping[str, float], limits: sandbox.Limits
) -> str:
    """A hash of the grader and of what this assignment asks: exercises, points and limits."""
    return _digest([grader, [asdict(each) for each in exercises], dict(points), asdict(limits)])


def submission_sha256(submission: collect.Submission) -> str:
    """A hash of all that counts of a submission: its files, what is missing and why, and what looks odd."""
    return _digest([submission.sha256, submission.missing, sorted(submission.remarks)])


def as_bytes(result: Result, submission: str, assignment_name: str, assignment: str) -> bytes:
    """The verdict file."""
    told = report.as_dict(result)
    del told["tier"]
    told |= {"format": FORMAT, "assignment": assignment_name}
    told |= {"submission_sha256": submission, "assignment_sha256": assignment}
    del told["submission"]
    told["remarks"] = sorted(told["remarks"])
    text = json.dumps(_rounded(told), indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "replace") + b"\n"


def _rounded(value: Any) -> Any:
    """Numbers to nine digits, which tell a float32 exactly: the last bits of a float64 depend on the machine."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, Mapping):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_rounded(each) for each in value]
    return value


def to_json(result: ExerciseResult) -> str:
    """One exercise's result, whole."""
    return json.dumps(asdict(result), ensure_ascii=True)


def from_json(text: str) -> ExerciseResult:
    """The inverse of `to_json`. Errors: ValueError, KeyError or TypeError for anything else."""
    told = json.loads(text)
    checks = []
    for check in told.pop("checks"):
        finding = check.pop("finding")
        if finding:
            first = finding.pop("first_wrong")
            finding = Finding(**finding, first_wrong=None if first is None else tuple(first))
        checks.append(CheckResult(**check, finding=finding or None))
    return ExerciseResult(**{**told, "remarks": tuple(told["remarks"]), "checks": tuple(checks)})


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: a kill leaves the old one or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_bytes(data)
    os.replace(beside, path)


class Store:
    """The results of exercises by key, one small file each."""

    def __init__(self, folder: Path, *facts: object, fresh: bool = False) -> None:
        self._folder, self._facts, self._fresh = folder, [str(each) for each in facts], fresh

    def key(self, exercise: Exercise, points: float, submission: collect.Submission, siblings: Sequence[str]) -> str:
        """The key of one exercise of one submission: its own file counts, the others do not."""
        source = hashlib.sha256(submission.files.get(exercise.file, b"")).hexdigest()
        facts = [source, submission.missing.get(exercise.file, ""), exercise.id, points, list(siblings)]
        return _digest([FORMAT, *self._facts, *facts])

    def get(self, key: str) -> ExerciseResult | None:
        """The kept result, if there is one that can be read and old results are welcome."""
        if self._fresh:
            return None
        try:
            return from_json((self._folder / key[:2] / f"{key}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: str, result: ExerciseResult) -> None:
        """Keep a result, unless it is our own trouble: that is tried again."""
        if result.state != "infrastructure error":
            write(self._folder / key[:2] / f"{key}.json", to_json(result).encode())
