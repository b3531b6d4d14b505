"""Grades one submission and puts the verdict in the words of predictions.toml."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from autograder.check import Checker
from autograder.exercise import load_assignment, load_exercises, tailored
from autograder.score import ExerciseResult, Result

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[3]
SEED = 20_260_101


def predictions() -> dict[str, dict[str, Any]]:
    """The table by submission."""
    return tomllib.loads((Path(__file__).resolve().parent / "predictions.toml").read_text(encoding="utf-8"))


def graded(tree: Path, cache: Path, only: tuple[str, ...] = ()) -> Result:
    """The result of a submission, of all exercises or of some."""
    exercises = load_exercises()
    assignment = load_assignment("dlsys-hw3", exercises)
    exercises = tailored(exercises, assignment)
    wanted = [exercises[each] for each in assignment.points if not only or each in only]
    return Checker(ROOT, tree, cache, SEED).check(wanted, assignment.points, exercises.values())


def in_words(result: ExerciseResult) -> str:
    """`state: check check`, the state alone where every check is in it."""
    wrong = [check for check in result.checks if not check.advice and check.state != "passed"]
    if all(check.state == result.state for check in result.checks if not check.advice):
        return result.state
    return f"{result.state}: {' '.join(check.name for check in wrong)}"


def advice_in_words(result: ExerciseResult) -> str:
    """The names of the advice that does not pass."""
    return " ".join(check.name for check in result.checks if check.advice and check.state != "passed")


def line_of(text: str, line: str) -> int:
    """The number of the first line that holds `line`."""
    return next(number for number, each in enumerate(text.splitlines(), 1) if line in each)


def surprises(name: str, tree: Path, result: Result, only: tuple[str, ...] = ()) -> list[str]:
    """Every difference between the verdict and the prediction, in words."""
    predicted = predictions()[name]
    found = []
    for each in result.exercises:
        want = predicted.get(each.id, "not checked" if each.id.endswith(".cuda") else "passed")
        got = in_words(each)
        if got != want:
            found.append(f"{each.id} is {got!r}, predicted {want!r}: {each.message or _why(each)}")
        if each.state == "does not compile" and "place" in predicted and each.id.endswith(".cpu"):
            source = (tree / each.place.rpartition(":")[0]).read_text(encoding="utf-8")
            line = line_of(source, predicted["place"])
            if each.place != f"src/ndarray_backend_cpu.cc:{line}":
                found.append(f"{each.id}: the error is at {each.place}, predicted line {line}")
    advice = predicted.get("advice")
    for each in result.exercises if advice else ():
        if each.id.endswith(".cuda"):  # these submissions have no CUDA file
            continue
        got, want = advice_in_words(each), advice.get(each.id, "")
        if got != want and (each.id in advice or name.startswith("y20")):
            found.append(f"advice of {each.id} is {got!r}, predicted {want!r}")
    for remark in predicted.get("remarks", []):
        if not any(remark in each for each in result.remarks):
            found.append(f"no remark holds {remark!r}: {result.remarks}")
    return found


def _why(result: ExerciseResult) -> str:
    return "; ".join(f"{check.name}: {check.finding.message}" for check in result.checks if check.finding)[:600]
