"""The route of an operator's boundaries that are no kernel: NumPy specification, dispatch, and the border in C++.

Each is graded with given parts on both sides, so one mistake costs once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from autograder import build, collect, compare, diagnose, markers, runner, sandbox, score
from autograder.case import Case, Finding, Outcome
from autograder.cases import cases_for
from autograder.course.numpy_here import numpy_folders
from autograder.exercise import Exercise

BACKENDS = ("numpy", "dispatch", "binding")
KERNEL = "power_kernel.cc"  # of the harness: what the border calls
GIVEN = tuple(
    f"python/needle/{name}"
    for name in (
        *("unfinished.py", "backend_ndarray/arithmetic.py", "backend_ndarray/conversion.py"),
        *("backend_ndarray/rules.py", "backend_ndarray/layout.py"),
    )
)
EMPTY = ("needle/__init__.py", "needle/backend_ndarray/__init__.py")


class BoundaryRoute:
    """The exercises at boundaries of one run."""

    def __init__(self, root: Path, builder: build.Builder, seed: int, limits: sandbox.Limits, walls: sandbox.Walls):
        self.root, self.builder, self.seed, self.limits, self.walls = root, builder, seed, limits, walls

    def exercise(
        self, exercise: Exercise, points: float, submission: collect.Submission, siblings: Sequence[str]
    ) -> score.ExerciseResult:
        """The result of one exercise.

        Errors: BuildTroubleError and OSError for what is the machine's trouble.
        """
        source = submission.files[exercise.file]
        if exercise.backend == "binding":
            return self._binding(exercise, points, source)
        result = self._python(exercise, points, source)
        if result.message and siblings:  # a file that does not load is tried without the siblings' blocks
            try:
                ids = [exercise.id, *siblings]
                alone = markers.strip(source.decode(), exercise.file, ids, only=siblings).encode()
            except (UnicodeDecodeError, markers.MarkerError):
                return result
            retried = self._python(exercise, points, alone)
            result = result if retried.message else retried
        return result

    def _python(self, exercise: Exercise, points: float, source: bytes) -> score.ExerciseResult:
        with tempfile.TemporaryDirectory(dir=self.builder.cache, prefix="boundary-") as folder:
            stage(self.root, Path(folder), exercise, source)
            numpy = numpy_folders()
            readable = (runner.CHILDREN, Path(folder), *numpy)
            arguments = (folder, str(numpy[0].parent))
            program = runner.Program("power_child.py", arguments, readable, False, self.limits)
            return self._run(exercise, points, source, program)

    def _binding(self, exercise: Exercise, points: float, source: bytes) -> score.ExerciseResult:
        module = self.module(exercise, source)
        if module.path is None:
            place = f"{exercise.file}:{module.line}" if module.line else exercise.file
            return score.not_run(exercise, points, "does not compile", module.error, place)
        return self._run(
            exercise, points, source, runner.kernel_program(module.path, "cpu", build.GUARDED, self.limits)
        )

    def module(self, exercise: Exercise, source: bytes) -> build.Compiled:
        """The CPU backend's module with the student's border and a stand-in below it, or the first error.

        Errors: BuildTroubleError when a given part does not build.
        """
        on_cpu = replace(exercise, id=f"{exercise.family}.cpu")
        job = self.builder.job_of(on_cpu, source)
        made = self.builder.compile(job)
        if made.path is None:
            return made
        kernel = replace(job, name=KERNEL, source=(build.HARNESS / KERNEL).read_bytes(), given=True)
        given = [each for each in self.builder.given_jobs("cpu") if each.name != "power_border.cc"]
        return self.builder.link(on_cpu, [made.path, *(self.builder.object_of(each) for each in [kernel, *given])])

    def _run(self, exercise: Exercise, points: float, source: bytes, program: runner.Program) -> score.ExerciseResult:
        open_functions = collect.unfinished_functions(source, exercise)
        cases = [case for case in cases_for(exercise.id, self.seed) if isinstance(case, Case)]
        try:
            pairs = list(runner.outcomes(replace(program, walls=self.walls), cases))
        except runner.NotLoaded as error:
            return score.not_run(exercise, points, error.state, error.text, exercise.file)
        items = [(case, outcome, judge(case, outcome, open_functions)) for case, outcome in pairs]
        refused = [(case, finding) for case, _, finding in items if "refused" in case.facts]
        others = [item for item in items if "refused" not in item[0].facts]  # models know what a call gives back
        explained = diagnose.explain_all(others)
        judged = [(case, finding) for (case, _, _), finding in zip(others, explained, strict=True)]
        return score.score(exercise, points, judged + refused)


def judge(case: Case, outcome: Outcome, open_functions: frozenset[str]) -> Finding:
    """The finding for one outcome; a case with `refused` among its facts must raise that class, in those words."""
    classes = outcome.value if outcome.kind == "raised" and outcome.value else ()
    if "NotImplementedError" in classes and open_functions:
        return Finding(case.id, case.check, "unfinished", message=outcome.detail.partition(": ")[2])
    if "refused" not in case.facts:
        finding = compare.judge(case, outcome)
        raised = f"{case.function} raised {outcome.detail}"
        return replace(finding, state="failed", message=raised) if finding.state == "unfinished" else finding
    wanted, words = case.facts["refused"]
    told = f"{wanted}: {words}" if words else wanted
    if wanted in classes and words in outcome.detail:
        return Finding(case.id, case.check, "passed")
    if outcome.kind not in ("raised", "returned"):
        return compare.judge(case, outcome)
    how = f"raised {outcome.detail}" if outcome.kind == "raised" else "returned"
    return Finding(case.id, case.check, "failed", message=f"it should raise {told}, but {how}")


def stage(root: Path, folder: Path, exercise: Exercise, source: bytes) -> None:
    """Write the tiny `needle` package: the given files with their blocks emptied, and the student's."""
    for name in GIVEN:
        target = folder / Path(name).relative_to("python")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(markers.strip((root / name).read_text(encoding="utf-8"), name), encoding="utf-8")
    for name in EMPTY:
        (folder / name).touch()
    (folder / Path(exercise.file).relative_to("python")).write_bytes(source)
    folder.chmod(0o755)  # another user may be the one to read it
