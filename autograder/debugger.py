"""Open the first failing case of an exercise in a debugger: gdb or lldb for kernels, pdb for views."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from autograder import build, collect, runner, views
from autograder.case import Case, ViewCase
from autograder.cases import cases_for
from autograder.check import Checker
from autograder.exercise import Exercise

REPLAY = runner.CHILDREN / "replay.py"


class NothingToDebug(Exception):
    """There is no failing case to open; the text says why."""


def failing_case(checker: Checker, exercise: Exercise, every: Iterable[Exercise]) -> Case | ViewCase:
    """The smallest failing case of an exercise.

    Errors: NothingToDebug when it passes, is unfinished or does not run at all.
    """
    if exercise.backend not in ("views", "cpu", "cuda"):
        raise NothingToDebug(f"{exercise.id}: only kernels and views open in a debugger; put breakpoint() into a test")
    result = checker.check([exercise], {}, every).exercises[0]
    if result.state == "passed":
        raise NothingToDebug(f"{exercise.id} passes every case of seed {checker.seed}")
    if result.message:
        raise NothingToDebug(f"{exercise.id}: {result.state}: {result.place} {result.message}")
    shown = result.worst
    if result.state == "unfinished" or shown is None or shown.finding is None:
        raise NothingToDebug(f"{exercise.id} is unfinished: write {exercise.file} first")
    wanted = shown.finding.case_id
    return next(case for case in cases_for(exercise.id, checker.seed) if case.id == wanted)


def command(checker: Checker, exercise: Exercise, case: Case | ViewCase, folder: Path) -> list[str]:
    """The debugger's command line for one case; what it needs is written to `folder`.

    Errors: NothingToDebug when there is no debugger or the file does not compile.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    request = folder / "case.bin"
    request.write_bytes(runner.request_of(views.folded(case, exercise)))
    source = collect.read_regular(checker.tree, exercise.file)
    python = [sys.executable, "-I", "-S", "-B", str(REPLAY)]
    if isinstance(case, ViewCase):
        views.stage(checker.root, folder, exercise, source, checker.limits)
        return [*python, "views", str(folder), str(request)]
    module = build.Builder(checker.root, checker.cache, debug=True).module_of(exercise, source)
    if module.path is None:
        raise NothingToDebug(f"{exercise.file}:{module.line}: {module.error}")
    replay = [*python, "kernel", str(module.path), runner.MODULE_NAMES[exercise.backend], str(request)]
    breakpoint_at = f"needle::{case.function}"
    if shutil.which("gdb"):
        steps = ["set breakpoint pending on", f"break {breakpoint_at}", "run"]
        return ["gdb", "-q", *(part for step in steps for part in ("-ex", step)), "--args", *replay]
    if shutil.which("lldb"):
        return ["lldb", "-o", f"breakpoint set -n {breakpoint_at}", "-o", "run", "--", *replay]
    raise NothingToDebug("no debugger found; install gdb (Debian, Ubuntu: apt install gdb) or lldb")
