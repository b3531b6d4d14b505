"""Check a tree: collect, build, run, judge and score, exercise by exercise, two at a time.

`root` is the tree of the given files and of the grader itself; `tree` is the submission. For a student's own check they
are the same.
"""

from __future__ import annotations

import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from autograder import build, collect, compare, diagnose, markers, runner, sandbox, score, views
from autograder.autograd.route import AutogradRoute
from autograder.boundaries import route as boundaries
from autograder.case import Case, Finding, Outcome, ViewCase
from autograder.cases import cases_for
from autograder.course.route import CourseRoute
from autograder.cuda import build as cuda_build
from autograder.cuda.gpu_route import GpuRoute
from autograder.cuda.route import CudaRoute
from autograder.exercise import Exercise

DEVICES = ("cuda_sim", "cuda")  # what CUDA exercises run on
Told = Callable[[score.ExerciseResult], None]


def new_seed() -> int:
    """A seed nobody can guess, short enough to type again."""
    return secrets.randbelow(1_000_000_000)


class Checker:
    """Everything one run of the grader shares: the tree, the builder, the seed, the limits and the walls.

    `walls` stand around every child; a student's own check has none. `device` is what CUDA exercises run on.
    """

    def __init__(
        self,
        root: Path,
        tree: Path,
        cache: Path,
        seed: int,
        limits: sandbox.Limits | None = None,
        walls: sandbox.Walls = sandbox.NO_WALLS,
        device: str = DEVICES[0],
    ) -> None:
        self.root, self.tree, self.cache, self.seed, self.walls = root, tree, cache, seed, walls
        self.limits = limits or sandbox.Limits()
        self.builder = build.Builder(root, cache, walls=walls)
        self.course = CourseRoute(self.builder, seed, self.limits, walls)
        route = GpuRoute if device == "cuda" else CudaRoute
        self.cuda: CudaRoute | GpuRoute = route(self.builder, seed, self.limits, walls)
        self.boundaries = boundaries.BoundaryRoute(root, self.builder, seed, self.limits, walls)
        self.autograd = AutogradRoute(root, self.builder, seed, self.limits, walls)
        cache.mkdir(parents=True, exist_ok=True)

    def check(
        self,
        exercises: Sequence[Exercise],
        points: Mapping[str, float],
        every: Iterable[Exercise],
        renamed: Mapping[str, str] | None = None,
        jobs: int = 2,
        told: Told = lambda result: None,
    ) -> score.Result:
        """Check these exercises; `every` is the whole list, so that exercises that share a file are known."""
        start = time.monotonic()
        submission = collect.collect(self.tree, exercises, renamed)
        siblings = {each.id: [o.id for o in every if o.file == each.file and o.id != each.id] for each in exercises}
        with ThreadPoolExecutor(max_workers=jobs) as pool:
            self._compile_first(pool, exercises, submission)
            futures: list[Future[score.ExerciseResult]] = []
            for exercise in exercises:
                share = points.get(exercise.id, 0.0)
                future = pool.submit(self.exercise, exercise, share, submission, siblings[exercise.id])
                future.add_done_callback(lambda done: told(done.result()) if not done.exception() else None)
                futures.append(future)
            results = tuple(future.result() for future in futures)
        seconds = time.monotonic() - start
        return score.Result(self.seed, self.walls.name, results, submission.remarks, submission.sha256, seconds)

    def _compile_first(
        self, pool: ThreadPoolExecutor, exercises: Sequence[Exercise], submission: collect.Submission
    ) -> None:
        """Start the compilations before the exercises wait for them, so that no worker idles; errors are told later."""
        jobs: list[build.Job] = []
        course = [each for each in exercises if each.of_a_course and each.backend in build.FOLDERS]
        for each in course[:1] if course and course[0].file in submission.files else ():
            pool.submit(self.course.module, each, submission.files[each.file])
        exercises = [each for each in exercises if not each.of_a_course]
        known = [each.backend for each in exercises if each.backend in build.FOLDERS]
        for backend in dict.fromkeys(each for each in known if each != "cuda" or isinstance(self.cuda, CudaRoute)):
            try:
                jobs += given_jobs(self.builder, backend)
                for each in exercises:
                    if each.backend == backend and each.file in submission.files:
                        jobs.append(job_of(self.builder, each, submission.files[each.file]))
            except build.BuildTroubleError:
                continue
        for job in jobs:
            pool.submit(self.builder.compile, job)

    def exercise(
        self, exercise: Exercise, points: float, submission: collect.Submission, siblings: Sequence[str]
    ) -> score.ExerciseResult:
        """The result of one exercise; whatever goes wrong on our side is an infrastructure error."""
        if exercise.file in submission.missing and not exercise.of_a_course:
            return score.not_run(exercise, points, "failed", submission.missing[exercise.file])
        try:
            if exercise.of_a_course:
                return self.course.exercise(exercise, points, submission)
            if exercise.backend == "views":
                return self._views(exercise, points, submission.files[exercise.file], siblings)
            if exercise.backend in boundaries.BACKENDS:
                return self.boundaries.exercise(exercise, points, submission, siblings)
            if exercise.backend in ("autograd", "gradient"):
                return self.autograd.exercise(exercise, points, submission, siblings)
            if exercise.backend == "cuda":
                return self.cuda.exercise(exercise, points, submission)
            if exercise.backend in build.FOLDERS:
                return self._kernels(exercise, points, submission.files[exercise.file], siblings)
            return score.not_run(exercise, points, "not checked", f"no device for {exercise.backend} here")
        except (build.BuildTroubleError, OSError) as error:
            return score.not_run(exercise, points, "infrastructure error", str(error))

    def _kernels(
        self, exercise: Exercise, points: float, source: bytes, siblings: Sequence[str]
    ) -> score.ExerciseResult:
        module = self.builder.module_of(exercise, source, siblings)
        if module.path is None:
            place = f"{exercise.file}:{module.line}" if module.line else exercise.file
            return score.not_run(exercise, points, "does not compile", module.error, place)
        program = runner.kernel_program(module.path, exercise.backend, build.GUARDED, self.limits)
        return self._run(exercise, points, source, program)

    def _views(self, exercise: Exercise, points: float, source: bytes, siblings: Sequence[str]) -> score.ExerciseResult:
        """Views run from a folder of their own; a file that does not load is tried without the siblings' blocks."""
        with tempfile.TemporaryDirectory(dir=self.cache, prefix="views-") as folder:
            stage = Path(folder)
            result = self._run(exercise, points, source, views.stage(self.root, stage, exercise, source, self.limits))
            if result.state in ("does not compile", "failed") and result.message:
                try:
                    text = source.decode()
                    alone = markers.strip(text, exercise.file, [exercise.id, *siblings], only=siblings).encode()
                except (UnicodeDecodeError, markers.MarkerError):
                    return result
                shutil.rmtree(stage / "needle", ignore_errors=True)
                program = views.stage(self.root, stage, exercise, alone, self.limits)
                retried = self._run(exercise, points, source, program)
                result = result if retried.message else retried
        return result

    def _run(self, exercise: Exercise, points: float, source: bytes, program: runner.Program) -> score.ExerciseResult:
        open_functions = collect.unfinished_functions(source, exercise)
        try:
            cases = [views.folded(case, exercise) for case in cases_for(exercise.id, self.seed)]
            pairs = list(runner.outcomes(replace(program, walls=self.walls), cases))
        except runner.NotLoaded as error:
            return score.not_run(exercise, points, error.state, error.text, exercise.file)
        items = [(case, outcome, verdict(case, outcome, open_functions)) for case, outcome in pairs]
        explained = diagnose.explain_all(items)
        return score.score(exercise, points, list(zip(cases, explained, strict=True)))


def given_jobs(builder: build.Builder, backend: str) -> list[build.Job]:
    """The given parts of a backend; CUDA's are compiled for the simulator."""
    return cuda_build.given_jobs(builder) if backend == "cuda" else builder.given_jobs(backend)


def job_of(builder: build.Builder, exercise: Exercise, source: bytes) -> build.Job:
    """The student's file of one exercise as a job."""
    if exercise.backend == "cuda":
        return cuda_build.job_of(builder, exercise.file, source)
    return builder.job_of(exercise, source)


def prove_handout(folder: Path, cache: Path, tasks: Sequence[Exercise], every: Iterable[Exercise]) -> list[str]:
    """What is wrong with a fresh handout: a warning or an error of the compiler, an exercise that is not unfinished."""
    checker = Checker(folder, folder, cache, seed=0)
    wrong = []
    for exercise in tasks:
        if exercise.backend in build.FOLDERS:
            built = checker.builder.compile(job_of(checker.builder, exercise, (folder / exercise.file).read_bytes()))
            if built.path is None or built.log.strip():
                wrong.append(f"{exercise.file}: {built.error or built.log.strip().splitlines()[0]}")
    result = checker.check(tasks, {}, every)
    for each in result.exercises:
        if each.state != "unfinished" or each.passed or any(check.state != "unfinished" for check in each.checks):
            wrong.append(f"{each.id} is {each.state} in the handout, not unfinished: {each.message}")
    return [*wrong, *result.remarks]


def verdict(case: Case | ViewCase, outcome: Outcome, open_functions: frozenset[str]) -> Finding:
    """The finding for one outcome. Unfinished needs both: the stub in the source, and the exception from the child."""
    finding = compare.judge(case, outcome)
    function = case.function if isinstance(case, Case) else case.steps[-1][0]
    not_implemented = outcome.kind == "raised" and "NotImplementedError" in (outcome.value or ())
    if not_implemented and function in open_functions:
        return replace(finding, state="unfinished", message=outcome.detail.partition(": ")[2])
    if finding.state == "unfinished":
        finding = replace(finding, state="failed", message=f"{function} raised {outcome.detail}")
    return finding
