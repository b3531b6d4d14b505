"""Grade a class: every exercise of every submission is one task for a few worker processes.

A worker is of our own code and never loads a student's: it starts the confined children. What a worker cannot do is an
infrastructure error, tried again and never scored. Every finished exercise is kept at once: Ctrl-C loses nothing.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from autograder import archive, collect, sandbox, score, submissions, tiers, verdict, walls
from autograder.check import DEVICES, Checker
from autograder.exercise import Assignment, Exercise

MOST_TRIES = 3
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Settings:
    """What all submissions of one run share; sent to every worker once."""

    root: Path
    cache: Path
    seed: int
    limits: sandbox.Limits
    tier: tiers.Tier
    jobs: int = 2
    device: str = DEVICES[0]


@dataclass(frozen=True)
class Plan:
    """What one submission is graded for: the assignment, the exercises chosen from it, and all that exist."""

    assignment: Assignment
    wanted: tuple[Exercise, ...]
    every: tuple[Exercise, ...]

    @property
    def points(self) -> dict[str, float]:
        """Points of the exercises that are graded."""
        return {each.id: self.assignment.points.get(each.id, 0.0) for each in self.wanted}

    def siblings(self, exercise: Exercise) -> list[str]:
        """The other exercises that share an exercise's file."""
        return [each.id for each in self.every if each.file == exercise.file and each.id != exercise.id]


@dataclass(frozen=True)
class Task:
    """One exercise of one submission: everything a worker needs, and nothing of the other submissions."""

    exercise: Exercise
    points: float
    submission: collect.Submission
    siblings: tuple[str, ...]


@dataclass
class Graded:
    """One submission on its way to a verdict: `results` fills up, `result` and `verdict` follow."""

    entry: submissions.Entry
    plan: Plan
    submission: collect.Submission
    remarks: list[str]
    results: dict[str, score.ExerciseResult] = field(default_factory=dict)
    fresh: int = 0  # how many exercises were run now, not found in the cache

    @property
    def complete(self) -> bool:
        """Whether every exercise has its result."""
        return len(self.results) == len(self.plan.wanted)

    def result(self, settings: Settings) -> score.Result:
        """The whole submission's result."""
        ordered = tuple(self.results[each.id] for each in self.plan.wanted)
        remarks, sha256 = self.submission.remarks, self.submission.sha256
        return score.Result(settings.seed, settings.tier.name, ordered, remarks, sha256)

    @property
    def reached(self) -> bool:
        """Whether every verdict was reached, none lost to trouble of our own."""
        return self.complete and all(each.state != "infrastructure error" for each in self.results.values())


def read(entry: submissions.Entry, choose: Callable[[Path], Plan], places: Sequence[str]) -> Graded:
    """Collect one submission; an archive that is not taken is a submission without files, and says why."""
    try:
        with submissions.opened(entry, places) as (tree, remarks):
            plan = choose(tree)
            return Graded(entry, plan, collect.collect(tree, plan.wanted, plan.assignment.files), remarks)
    except (archive.ArchiveError, OSError) as error:
        plan = choose(Path(os.devnull))
        why = f"{entry.path.name}: {error.strerror if isinstance(error, OSError) else error}"
        return Graded(entry, plan, collect.Submission({}, {each.file: why for each in plan.wanted}), [])


_checker: Checker | None = None


def _end(number: int, frame: object) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what a worker says of being ended half way helps nobody
    sys.exit(1)  # on the way out every child is closed


def _start_worker(settings: Settings) -> None:
    """A worker leaves Ctrl-C to its parent, ends when told to, and does not outlive it."""
    global _checker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    _checker = Checker(
        settings.root,
        settings.root,
        settings.cache,
        settings.seed,
        settings.limits,
        walls.of(settings.tier),
        settings.device,
    )


def _work(task: Task) -> score.ExerciseResult:
    if _checker is None:
        raise RuntimeError("the worker was not started")
    try:
        return _checker.exercise(task.exercise, task.points, task.submission, task.siblings)
    except Exception as error:  # a mistake of the grader's own must cost nobody a point
        text = f"{type(error).__name__}: {error}"
        return score.not_run(task.exercise, task.points, "infrastructure error", text)


class Pool:
    """Worker processes that are replaced when one dies, with a task tried at most three times."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._pool = self._fresh()
        self._tries: dict[int, int] = {}

    def _fresh(self) -> ProcessPoolExecutor:
        # spawn: the parent has threads (the progress display), which a fork would copy half.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._settings.jobs, context, _start_worker, (self._settings,))

    def submit(self, task: Task) -> Future[score.ExerciseResult]:
        """Hand a task to the workers."""
        try:
            return self._pool.submit(_work, task)
        except BrokenProcessPool:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = self._fresh()
            return self._pool.submit(_work, task)

    def result(self, task: Task, done: Future[score.ExerciseResult]) -> score.ExerciseResult | None:
        """The result of a finished task, or None when it should be tried again."""
        try:
            result = done.result()
        except BrokenProcessPool:
            result = score.not_run(task.exercise, task.points, "infrastructure error", "a worker of the grader ended")
        if result.state != "infrastructure error":
            return result
        tries = self._tries[id(task)] = self._tries.get(id(task), 0) + 1
        return result if tries >= MOST_TRIES else None

    def finish(self) -> None:
        """Let the workers go, now that there is nothing left to do."""
        self._pool.shutdown(wait=True)

    def stop(self) -> None:
        """End all workers now, with the children that they run."""
        running = list((self._pool._processes or {}).values())
        for process in running:
            process.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def pool_of(settings: Settings) -> Iterator[Pool]:
    """A pool that is gone when the context is left, whatever the reason."""
    pool = Pool(settings)
    try:
        yield pool
    except BaseException:
        pool.stop()
        raise
    pool.finish()


Told = Callable[[Graded, score.ExerciseResult], None]


def run(graded: Iterable[Graded], settings: Settings, store: verdict.Store, told: Told) -> Iterator[Graded]:
    """Grade submissions in order; yields each when its last exercise is ready, calls `told` for every exercise."""
    waiting = _tasks(graded, store, told)
    running: dict[Future[score.ExerciseResult], tuple[Graded, Task, str]] = {}
    again: deque[tuple[Graded, Task, str]] = deque()
    with pool_of(settings) as pool:
        while True:
            while len(running) < 2 * settings.jobs:
                following = again.popleft() if again else next(waiting, None)
                if following is None:
                    break
                if isinstance(following, Graded):
                    yield following
                    continue
                running[pool.submit(following[1])] = following
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                each, task, key = running.pop(done)
                result = pool.result(task, done)
                if result is None:
                    again.append((each, task, key))
                    continue
                store.put(key, result)
                each.results[task.exercise.id] = result
                each.fresh += 1
                told(each, result)
                if each.complete:
                    yield each


def _tasks(graded: Iterable[Graded], store: verdict.Store, told: Told) -> Iterator[Graded | tuple[Graded, Task, str]]:
    """The tasks that are not answered by the cache; a submission that is answered whole comes instead of its tasks."""
    for each in graded:
        tasks = []
        points: Mapping[str, float] = each.plan.points
        for exercise in each.plan.wanted:
            siblings = each.plan.siblings(exercise)
            key = store.key(exercise, points[exercise.id], each.submission, siblings)
            kept = store.get(key)
            if kept is None:
                tasks.append((each, Task(exercise, points[exercise.id], each.submission, tuple(siblings)), key))
            else:
                each.results[exercise.id] = kept
                told(each, kept)
        if not tasks:
            yield each
        yield from tasks
