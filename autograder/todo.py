"""What is open, failing and done: from the last check of each exercise, as long as its file is unchanged."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from autograder import collect, report
from autograder.exercise import Exercise
from autograder.score import Result

NAME = "last-check.json"


def _hash(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()


def remember(cache: Path, result: Result, tree: Path, exercises: Iterable[Exercise]) -> None:
    """Keep the state of every exercise that was just checked, beside the hash of the file it was checked in."""
    known = _recall(cache)
    files = {exercise.id: exercise.file for exercise in exercises}
    for each in result.exercises:
        try:
            source = collect.read_regular(tree, files[each.id])
        except (OSError, ValueError):
            continue
        known[each.id] = {"state": each.state, "passed": each.passed, "total": len(each.checks), "file": _hash(source)}
    beside = cache / f"{NAME}.{os.getpid()}"
    beside.write_text(json.dumps(known), encoding="utf-8")
    os.replace(beside, cache / NAME)


def _recall(cache: Path) -> dict[str, Any]:
    try:
        told = json.loads((cache / NAME).read_text(encoding="utf-8"))
        return told if isinstance(told, dict) else {}
    except (OSError, ValueError):
        return {}


def state(exercise: Exercise, tree: Path, known: dict[str, Any]) -> str:
    """`open`, `done`, `failing 5/8` or `not checked yet`: the stubs in the file, then what the last check said."""
    try:
        source = collect.read_regular(tree, exercise.file)
    except (OSError, ValueError):
        return "missing"
    last = known.get(exercise.id)
    if len(collect.unfinished_functions(source, exercise)) == len(exercise.functions):
        return "open"
    if not isinstance(last, dict) or last.get("file") != _hash(source):
        return "not checked yet"
    if last.get("state") == "passed":
        return "done"
    words = {"unfinished": "open", "failed": "failing"}.get(str(last.get("state")), last.get("state"))
    return f"{words} {last.get('passed')}/{last.get('total')}"


def _colour(told: str) -> str:
    return {"done": "green", "open": "yellow", "not": "cyan"}.get(told.partition(" ")[0], "red")


def show(console: Console, exercises: Iterable[Exercise], tree: Path, cache: Path) -> None:
    """The exercises in course order, and the next command."""
    known = _recall(cache)
    following: Exercise | None = None
    for exercise in exercises:
        told = state(exercise, tree, known)
        line = Text(f"{exercise.id:<{report.ID_COLUMNS}}", no_wrap=True, overflow="ellipsis")
        line.append(" " + report.fit(told, report.STATE_COLUMNS), _colour(told))
        room = console.width - len(line) - 1
        if room >= 20:
            line.append(" " + report.fit(f"{exercise.lines:>2} lines  {exercise.title}", room).rstrip(), "dim")
        console.print(line)
        if told != "done" and following is None:
            following = exercise
    console.print()
    if following is None:
        report.command(console, "All done. Once more, with new cases: make check")
        return
    report.command(console, f"Next: {following.file}, block {following.id}")
    report.command(console, f"Then: make check EX={following.id}")
