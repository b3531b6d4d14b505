"""The route of a course's layout through the grader: the house's stages, with the course's two files in the middle."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from autograder import build, collect, compare, diagnose, runner, sandbox, score, views
from autograder.case import Case, Finding, Outcome, State, ViewCase
from autograder.course import build as course_build
from autograder.course import cuda as course_cuda
from autograder.course import source as texts
from autograder.course.cases import course_cases
from autograder.course.numpy_here import numpy_folders
from autograder.exercise import Exercise

# How a method that is not written, or not there, ends; the last is what course_child.py calls a result that is no view.
OPEN = {"NotImplementedError", "AttributeError", "TypeError", "NotAView"}


class CourseRoute:
    """The exercises of submissions in a course's layout: one C++ file with all kernels, and an ndarray.py.

    Shared by all submissions of a run; an exercise must come from `exercise.tailored`, with the course's rules.
    """

    def __init__(self, builder: build.Builder, seed: int, limits: sandbox.Limits, walls: sandbox.Walls) -> None:
        self.builder, self.seed, self.limits, self.walls = builder, seed, limits, walls
        self._modules: dict[str, build.Compiled] = {}
        self._building = threading.Lock()  # a submission's one file is compiled once, whichever exercise asks first

    def module(self, exercise: Exercise, source: bytes) -> build.Compiled:
        """The module of a submission, or its first error."""
        key = hashlib.sha256(source).hexdigest()
        with self._building:
            if key not in self._modules:
                make = course_cuda.module_of if exercise.backend == "cuda" else course_build.module_of
                self._modules[key] = make(self.builder, exercise, source)
            return self._modules[key]

    def exercise(self, exercise: Exercise, points: float, submission: collect.Submission) -> score.ExerciseResult:
        """The result of one exercise. Views are not checked where a submission has no ndarray.py.

        Errors: BuildTroubleError and OSError for what is the machine's trouble.
        """
        views_exercise = exercise.backend == "views"
        if exercise.backend == "cuda":
            return self._cuda(exercise, points, submission)
        if exercise.file in submission.missing:
            state: State = "not checked" if views_exercise else "failed"
            return score.not_run(exercise, points, state, submission.missing[exercise.file])
        check = self._views if views_exercise else self._kernels
        return check(exercise, points, submission.files[exercise.file])

    def _kernels(self, exercise: Exercise, points: float, source: bytes) -> score.ExerciseResult:
        module = self.module(exercise, source)
        if module.path is None:
            place = f"{exercise.file}:{module.line}" if module.line else exercise.file
            return score.not_run(exercise, points, "does not compile", module.error, place)
        program = runner.kernel_program(module.path, exercise.backend, build.GUARDED, self.limits)
        return self._run(exercise, points, source, program)

    def _cuda(self, exercise: Exercise, points: float, submission: collect.Submission) -> score.ExerciseResult:
        """On the simulator; a submission without the CUDA file is not asked for it, and neither for its points."""
        if exercise.file in submission.missing:
            return score.not_run(exercise, 0.0, "not checked", submission.missing[exercise.file])
        source = submission.files[exercise.file]
        settings = (self.seed, self.limits, self.walls)
        return course_cuda.graded(self.builder, exercise, points, source, self.module(exercise, source), settings)

    def _views(self, exercise: Exercise, points: float, source: bytes) -> score.ExerciseResult:
        with tempfile.TemporaryDirectory(dir=self.builder.cache, prefix="views-") as folder:
            file = Path(folder) / "ndarray.py"
            file.write_bytes(source)
            file.parent.chmod(0o755)  # another user may be the one to read it
            numpy = numpy_folders()
            arguments = (str(file), str(numpy[0].parent), *texts.stray_imports(source))
            readable = (runner.CHILDREN, file.parent, *numpy)
            program = runner.Program("course_child.py", arguments, readable, False, self.limits)
            return self._run(exercise, points, source, program)

    def _run(self, exercise: Exercise, points: float, source: bytes, program: runner.Program) -> score.ExerciseResult:
        judge = judge_of(exercise, source)
        try:
            cases = [views.folded(case, exercise) for case in course_cases(exercise, self.seed)]
            pairs = list(runner.outcomes(replace(program, walls=self.walls), cases))
        except runner.NotLoaded as error:
            return score.not_run(exercise, points, error.state, error.text, exercise.file)
        items = [(case, outcome, judge(case, outcome)) for case, outcome in pairs]
        explained = diagnose.explain_all(items)
        return score.score(exercise, points, list(zip(cases, explained, strict=True)))


Judge = Callable[[Case | ViewCase, Outcome], Finding]


def judge_of(exercise: Exercise, source: bytes) -> Judge:
    """How outcomes of one submission's exercise are judged: what is a stub or is missing, is unfinished."""
    if exercise.backend == "views":
        open_methods = texts.python_stubs(source, (_method(name) for name in exercise.functions))
        return lambda case, outcome: _judge_view(case, outcome, open_methods)
    stubs, absent = texts.stubs(source, exercise.functions), texts.absent(source, exercise.functions)
    return lambda case, outcome: _judge_kernel(case, outcome, stubs, absent)


def _method(function: str) -> str:
    return "__getitem__" if function == "getitem" else function


def _judge_kernel(case: Case | ViewCase, outcome: Outcome, stubs: frozenset[str], absent: frozenset[str]) -> Finding:
    finding = compare.judge(case, outcome)
    function = case.function if isinstance(case, Case) else ""
    name = texts.cpp_name(function)
    asserted = outcome.kind == "raised" and outcome.detail.startswith("RuntimeError: assert(")
    if function in stubs and (asserted or outcome.detail == "SIGABRT"):
        return replace(finding, state="unfinished", message=f"{name} still holds the handout's assert(false)")
    if outcome.kind == "raised" and "AttributeError" in (outcome.value or ()):
        if function in absent:
            return replace(finding, state="unfinished", message=f"{name} is not there")
        words = f"{name} is there, but cannot be called with the course's parameters"
        return replace(finding, state="failed", message=words)
    return finding


def _judge_view(case: Case | ViewCase, outcome: Outcome, open_methods: frozenset[str]) -> Finding:
    finding = compare.judge(case, outcome, also_accept=("Exception",))
    if not isinstance(case, ViewCase):
        return finding
    name = case.steps[-1][0]
    raised = outcome.value if outcome.kind == "raised" else None
    if raised and _method(name) in open_methods and OPEN & set(raised):
        return replace(finding, state="unfinished", message=f"{name} is not written")
    refused = bool(raised) and {"ValueError", "AssertionError"} & set(raised or ())
    if case.check == "not_compact_refused" and refused:
        return replace(finding, state="passed", message="", first_wrong=None, got=None, want=None)
    if finding.state == "unfinished":
        return replace(finding, state="failed", message=f"{name} raised {outcome.detail}")
    return finding
