"""From findings to states and points: a check passes only if every one of its cases passed; the default is no pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from autograder.autograd.case import TensorCase
from autograder.case import Case, Finding, State, ViewCase
from autograder.exercise import Check, Exercise

AnyCase = Case | ViewCase | TensorCase

# The state of a whole is the first of these that any part is in.
WORST_FIRST: tuple[State, ...] = (
    "infrastructure error",
    "does not compile",
    "crashed",
    "time-out",
    "out of memory",
    "failed",
    "unfinished",
    "not checked",
    "passed",
)


@dataclass(frozen=True)
class CheckResult:
    """One named check: its state, how many of its cases passed, and the smallest case that did not."""

    name: str
    points: float
    cites: str
    state: State
    passed: int = 0
    total: int = 0
    finding: Finding | None = None
    case: str = ""  # the call of that finding, in a few words

    @property
    def advice(self) -> bool:
        """A check that cites no rule: shown, but it changes neither points nor the state of the exercise."""
        return not self.cites


@dataclass(frozen=True)
class ExerciseResult:
    """One exercise: its state, its checks, and one message where the whole exercise could not be run."""

    id: str
    title: str
    state: State
    points: float
    checks: tuple[CheckResult, ...]
    message: str = ""
    place: str = ""  # file:line of the message
    remarks: tuple[str, ...] = ()  # worth telling, never scored

    @property
    def passed(self) -> int:
        """How many checks passed: the 5 of 5/8; advice does not count."""
        return sum(check.state == "passed" for check in self.checks if not check.advice)

    @property
    def total(self) -> int:
        """How many checks there are: the 8 of 5/8."""
        return sum(not check.advice for check in self.checks)

    @property
    def advice(self) -> tuple[CheckResult, ...]:
        """The advice that was not followed."""
        return tuple(check for check in self.checks if check.advice and check.state != "passed" and check.finding)

    @property
    def score(self) -> float:
        """The points earned: each check's share of the exercise's points, for those that passed."""
        total = sum(check.points for check in self.checks)
        earned = sum(check.points for check in self.checks if check.state == "passed")
        return round(self.points * earned / total, 6) if total else 0.0

    @property
    def worst(self) -> CheckResult | None:
        """The check to tell about first: the first in the state of the exercise that has a finding."""
        found = (check for check in self.checks if check.state == self.state and check.finding and not check.advice)
        return next(found, None)


@dataclass(frozen=True)
class Result:
    """One checked tree."""

    seed: int
    tier: str
    exercises: tuple[ExerciseResult, ...]
    remarks: tuple[str, ...] = ()
    submission: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def all_passed(self) -> bool:
        """True when every exercise passed, and there was one; what is not asked is left out."""
        asked = [each for each in self.exercises if each.points or each.state != "not checked"]
        return bool(asked) and all(each.state == "passed" for each in asked)


def worst(states: Sequence[State]) -> State:
    """The state of a whole with parts in these states; of nothing it is an infrastructure error."""
    return next((state for state in WORST_FIRST if state in states), "infrastructure error")


def _size(case: AnyCase) -> int:
    return sum(buffer.before.size for buffer in case.buffers) if isinstance(case, Case) else case.allocation


def _words(case: AnyCase) -> str:
    """The call of a case in a few words: what it is about, and its layout."""
    if isinstance(case, ViewCase):
        return ""  # the message begins with the whole chain
    layout = [f"{name} {case.facts[name]}" for name in ("shape", "strides", "offset") if name in case.facts]
    return ", ".join([f"{case.function} of {case.note}" if case.note else case.function, *layout])


def _pick(
    judged: Sequence[tuple[AnyCase, Finding]], state: State, likely: Counter[str]
) -> tuple[AnyCase, Finding] | None:
    """The smallest case in that state, among those that the likeliest diagnosis explains if there is one."""
    found = [(case, finding) for case, finding in judged if finding.state == state]
    explained = [(case, finding) for case, finding in found if finding.diagnosis]
    if explained:
        best = max(explained, key=lambda pair: (likely[pair[1].diagnosis], -_size(pair[0])))[1].diagnosis
        found = [(case, finding) for case, finding in explained if finding.diagnosis == best]
    return min(found, key=lambda pair: _size(pair[0])) if found else None


def _check(check: Check, judged: Sequence[tuple[AnyCase, Finding]], likely: Counter[str]) -> CheckResult:
    own = [pair for pair in judged if pair[1].check == check.name]
    state = worst([finding.state for _, finding in own])
    picked = None if state == "passed" else _pick(own, state, likely)
    passed = sum(finding.state == "passed" for _, finding in own)
    result = CheckResult(check.name, check.points, check.cites, state, passed, len(own))
    return replace(result, finding=picked[1], case=_words(picked[0])) if picked else result


def score(exercise: Exercise, points: float, judged: Sequence[tuple[AnyCase, Finding]]) -> ExerciseResult:
    """The result of an exercise whose cases were run; a check without a case is an infrastructure error, not a pass."""
    likely = Counter(finding.diagnosis for _, finding in judged if finding.diagnosis)
    checks = tuple(_check(check, judged, likely) for check in exercise.checks)
    state = worst([check.state for check in checks if not check.advice] or [check.state for check in checks])
    return ExerciseResult(exercise.id, exercise.title, state, points, checks)


def not_run(exercise: Exercise, points: float, state: State, message: str, place: str = "") -> ExerciseResult:
    """The result of an exercise that could not be run at all."""
    checks = tuple(CheckResult(check.name, check.points, check.cites, state) for check in exercise.checks)
    return ExerciseResult(exercise.id, exercise.title, state, points, checks, message, place)
