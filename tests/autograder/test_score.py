"""States and points: nothing passes by default, states never mix, and a check is all or nothing."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from autograder import score
from autograder.case import Buffer, Case, Finding, State
from autograder.exercise import Check, Exercise

CHECKS = (Check("first", 2, "One."), Check("second", 1, "Two."), Check("advice", 0, ""))
EXERCISE = Exercise("a.cpu", "title", "a.cc", ("a",), 1, ("x", "y", "z"), CHECKS)
numbers = itertools.count()


def judged(check: str, state: State, size: int = 1, diagnosis: str = "") -> tuple[Case, Finding]:
    name = f"{check}-{next(numbers)}"
    case = Case(name, check, "a", (), (Buffer("a", np.zeros(size, np.float32)),), {}, note=f"{size} elements")
    return case, Finding(name, check, state, message=f"message of {name}", diagnosis=diagnosis)


def passed() -> list[tuple[Case, Finding]]:
    return [judged(check.name, "passed") for check in CHECKS]


def test_an_exercise_passes_when_every_case_of_every_check_passed() -> None:
    result = score.score(EXERCISE, 12, passed())
    assert (result.state, result.score, result.passed) == ("passed", 12, 2)


def test_one_failed_case_fails_its_check_and_only_its_share_is_lost() -> None:
    result = score.score(EXERCISE, 12, [*passed(), judged("second", "failed")])
    assert (result.state, result.score, result.passed) == ("failed", 8, 1)
    assert [check.state for check in result.checks] == ["passed", "failed", "passed"]


def test_advice_scores_nothing_either_way() -> None:
    result = score.score(EXERCISE, 12, [*passed(), judged("advice", "failed")])
    assert (result.state, result.score, result.checks[2].state) == ("passed", 12, "failed")


def test_no_findings_at_all_is_never_a_pass() -> None:
    result = score.score(EXERCISE, 12, [])
    assert (result.state, result.score, result.passed) == ("infrastructure error", 0, 0)


def test_a_check_without_a_case_is_never_a_pass() -> None:
    result = score.score(EXERCISE, 12, [judged("first", "passed"), judged("advice", "passed")])
    assert result.checks[1].state == "infrastructure error" and result.state == "infrastructure error"


def test_half_done_is_unfinished_with_the_done_part_counted() -> None:
    result = score.score(EXERCISE, 12, [*passed(), judged("second", "unfinished")])
    assert (result.state, result.passed, result.score) == ("unfinished", 1, 8)


def test_a_wrong_part_beside_an_unfinished_one_is_failed() -> None:
    findings = [judged("first", "failed"), judged("second", "unfinished"), judged("advice", "passed")]
    result = score.score(EXERCISE, 12, findings)
    assert [check.state for check in result.checks] == ["failed", "unfinished", "passed"] and result.state == "failed"


@pytest.mark.parametrize("state", [state for state in score.WORST_FIRST if state != "passed"])
def test_every_other_state_beats_passed(state: State) -> None:
    assert score.worst(["passed", state, "passed"]) == state


def test_the_smallest_failing_case_is_told() -> None:
    findings = [*passed(), judged("first", "failed", 9), judged("first", "failed", 3), judged("first", "failed", 5)]
    worst = score.score(EXERCISE, 12, findings).worst
    assert worst is not None and worst.case == "a of 3 elements"


def test_a_case_that_the_likeliest_mistake_explains_is_told_before_a_smaller_one() -> None:
    findings = [*passed(), judged("first", "failed", 1), judged("first", "failed", 2, "rare")]
    findings += [judged("first", "failed", 7, "common"), judged("second", "failed", 8, "common")]
    worst = score.score(EXERCISE, 12, findings).worst
    assert worst is not None and worst.finding is not None and worst.finding.diagnosis == "common"


def test_what_could_not_be_run_has_that_state_in_every_check_and_no_points() -> None:
    result = score.not_run(EXERCISE, 12, "does not compile", "expected ';'", "a.cc:3")
    assert {check.state for check in result.checks} == {"does not compile"} and result.score == 0


def test_an_empty_result_has_not_passed() -> None:
    assert not score.Result(1, "none", ()).all_passed
