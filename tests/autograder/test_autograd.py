"""The exercises of the Needle layer: cases that are sharp, wrong rules that are named, unusual ones that pass."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from autograder import check, collect, handout, markers, sandbox, score
from autograder.autograd.case import TensorCase
from autograder.autograd.judge import judge
from autograder.autograd.route import GIVEN
from autograder.case import Outcome
from autograder.cases.autograd import CHECKS, cases_for
from autograder.check import Checker
from autograder.exercise import Exercise, load_assignment
from tests.autograder.specimens.autograd import RARER, RIGHT, WRONG, Specimen

ROOT = Path(__file__).resolve().parents[2]
SEED = 7
LIMITS = sandbox.Limits(cpu_s=8.0)
CHOSEN = [each for each in [*WRONG, *RIGHT] if each.name not in RARER or os.environ.get("SPECIMENS") == "all"]
Results = dict[str, Future[score.ExerciseResult]]
Exercises = dict[str, Exercise]


def named(specimen: Specimen) -> str:
    return f"{specimen.exercise}: {specimen.name}"


def changed(specimen: Specimen, exercises: Exercises) -> bytes:
    """The reference file with the specimen's changes."""
    text = (ROOT / exercises[specimen.exercise].file).read_text(encoding="utf-8")
    for old, new in specimen.changes:
        assert text.count(old) == 1, f"{specimen.name}: {text.count(old)} places of {old!r}"
        text = text.replace(old, new)
    return text.encode()


def run(exercise: Exercise, source: bytes, cache: Path, every: Exercises) -> score.ExerciseResult:
    checker = Checker(ROOT, ROOT, cache, SEED, LIMITS)
    siblings = [each.id for each in every.values() if each.file == exercise.file and each.id != exercise.id]
    return checker.exercise(exercise, 10.0, collect.Submission({exercise.file: source}), siblings)


@pytest.fixture(scope="module")
def graded(cache: Path, exercises: Exercises) -> Iterator[Results]:
    """Every specimen, graded two at a time while the tests wait for theirs."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        yield {
            each.name: pool.submit(run, exercises[each.exercise], changed(each, exercises), cache, exercises)
            for each in CHOSEN
        }
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize(
    "specimen", [each for each in CHOSEN if each.checks], ids=lambda each: f"{each.exercise}: {each.name}"
)
def test_a_wrong_rule_fails_in_its_own_checks_and_is_named(specimen: Specimen, graded: Results) -> None:
    result = graded[specimen.name].result()
    assert {each.name for each in result.checks if each.state != "passed"} == set(specimen.checks), result.message
    told = [each.finding.diagnosis for each in result.checks if each.finding]
    assert any(specimen.diagnosis in each for each in told) if specimen.diagnosis else not any(told), told


@pytest.mark.parametrize(
    "specimen", [each for each in CHOSEN if not each.checks], ids=lambda each: f"{each.exercise}: {each.name}"
)
def test_an_unusual_rule_that_is_right_passes(specimen: Specimen, graded: Results) -> None:
    result = graded[specimen.name].result()
    assert result.state == "passed", [each.finding for each in result.checks if each.finding][:2] or result.message


def test_every_exercise_has_a_wrong_and_a_right_specimen_but_views() -> None:
    assert {each.exercise for each in WRONG} == {each.exercise for each in CHOSEN if each.checks} == set(CHECKS)
    assert {each.name for each in WRONG} >= RARER and len(CHOSEN) >= 30
    assert {each.exercise for each in RIGHT} == set(CHECKS) - {"views.autograd"}


@pytest.mark.parametrize("exercise", CHECKS)
def test_every_check_has_cases_that_are_the_same_for_the_same_seed(exercise: str) -> None:
    cases, again, other = cases_for(exercise, SEED), cases_for(exercise, SEED), cases_for(exercise, SEED + 1)
    assert {case.check for case in cases} == set(CHECKS[exercise])
    assert [case.request() for case in cases] == [case.request() for case in again]
    assert len({case.id for case in cases}) == len(cases)
    assert [case.request() for case in cases] != [case.request() for case in other]


def answered(case: TensorCase, *arrays: np.ndarray) -> Outcome:
    return Outcome("returned", value=arrays)


@pytest.mark.parametrize("exercise", CHECKS)
@pytest.mark.parametrize("lazy", [np.zeros_like, np.ones_like], ids=["zeros", "ones"])
def test_lazy_answers_fail_in_every_check(exercise: str, lazy: object) -> None:
    passed: dict[str, bool] = {}
    for case in cases_for(exercise, SEED):
        finding = judge(case, answered(case, *(lazy(each.values) for each in case.results)), frozenset())  # type: ignore[operator]
        passed[case.check] = passed.get(case.check, True) and finding.state == "passed"
    assert not any(passed.values()), passed


@pytest.mark.parametrize("exercise", CHECKS)
def test_bounds_are_small_beside_the_answers(exercise: str) -> None:
    for case in cases_for(exercise, SEED):
        for result in case.results:
            size = np.abs(result.values[np.isfinite(result.values)]).max(initial=1.0)
            small = 1e-3 if result.values.dtype == np.float32 else 1e-9
            assert np.max(result.bound, initial=0.0) <= small * size, (case.title, result.label)


def test_shape_dtype_and_missing_results_are_failures_in_words() -> None:
    case = next(case for case in cases_for("views.autograd", SEED) if case.check == "broadcast_to_square")
    right = case.results[0].values
    assert judge(case, answered(case, right), frozenset()).state == "passed"
    shape = judge(case, answered(case, np.zeros((3, 3))), frozenset())
    assert shape.state == "failed" and shape.message == "the gradient has shape (3, 3), should be (3,)"
    assert "float32" in judge(case, answered(case, right.astype(np.float32)), frozenset()).message
    assert judge(case, answered(case), frozenset()).state == "failed"
    nan = judge(case, answered(case, right * np.nan), frozenset())
    assert nan.state == "failed" and "is nan, should be" in nan.message
    lesson = judge(case, answered(case, np.array([3.0, 12.0, 21.0])), frozenset())
    assert right.tolist() == [9.0, 12.0, 15.0] and "aligned at the right" in lesson.diagnosis


def _payload(told: object, contents: bytes) -> bytes:
    text = json.dumps(told).encode()
    return struct.pack("<I", len(text)) + text + contents


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        struct.pack("<I", 1 << 30),
        _payload({}, b""),
        _payload([], b""),
        _payload([["<f8", [3]]], b"short"),
        _payload([["<f8", [1]]], bytes(16)),
        _payload([["|O", [1]]], bytes(8)),
        _payload([["<f8", [-1]]], b""),
        _payload([["<f8", [1 << 62, 1 << 62]]], b""),
        _payload([["<f8", "3"]], bytes(24)),
        _payload([["<f8", [1.5]]], bytes(12)),
        _payload([3], b""),
    ],
    ids=range(12),
)
def test_an_answer_that_no_honest_child_sends_is_refused(payload: bytes) -> None:
    case = cases_for("sum_to_shape.autograd", SEED)[0]
    with pytest.raises(ValueError):
        case.outcome(payload)


def test_a_stub_is_unfinished_and_a_raised_not_implemented_error_is_not() -> None:
    case = next(case for case in cases_for("ewise.autograd", SEED) if case.check == "log_gradient")
    raised = Outcome("raised", value=("NotImplementedError",), detail="NotImplementedError: later")
    assert judge(case, raised, frozenset({"Log.gradient"})).state == "unfinished"
    assert judge(case, raised, frozenset({"Exp.gradient"})).state == "failed"


def test_half_an_exercise_counts_its_half(cache: Path, exercises: Exercises) -> None:
    exercise = exercises["operators.autograd"]
    text = (ROOT / exercise.file).read_text(encoding="utf-8")
    blocks = markers.parse(text, exercise.file)
    source = markers.replace(text, blocks, {each: markers.stub(each, exercise.file) for each in blocks[2:]})
    result = run(exercise, source.encode(), cache, exercises)
    assert result.state == "unfinished" and (result.passed, result.total) == (4, 8)
    assert {each.state for each in result.checks} == {"passed", "unfinished"}


def test_a_syntax_error_costs_its_own_exercise_and_not_its_neighbour(cache: Path, exercises: Exercises) -> None:
    file = exercises["ewise.autograd"].file
    text = (ROOT / file).read_text(encoding="utf-8").replace("return out_grad / node.inputs[0]", "return out_grad /")
    assert run(exercises["ewise.autograd"], text.encode(), cache, exercises).state == "does not compile"
    assert run(exercises["sum_to_shape.autograd"], text.encode(), cache, exercises).state == "passed"


def test_a_wrong_sum_to_shape_costs_only_its_own_exercise(cache: Path, exercises: Exercises) -> None:
    source = changed(next(each for each in WRONG if each.name == "axes aligned at the left"), exercises)
    assert run(exercises["ewise.autograd"], source, cache, exercises).state == "passed"


def test_a_process_that_ends_or_recurses_is_told_as_such(cache: Path, exercises: Exercises) -> None:
    file = exercises["softmax_loss.autograd"].file
    text = (ROOT / file).read_text(encoding="utf-8")
    ends = text.replace("batch, classes = logits.shape", "__import__('os')._exit(0)")
    result = run(exercises["softmax_loss.autograd"], ends.encode(), cache, exercises)
    assert result.state == "crashed" and result.passed == 0


def test_the_handout_of_the_assignment_is_whole_and_unfinished(
    tmp_path: Path, cache: Path, exercises: Exercises
) -> None:
    assignment = load_assignment("autograd", exercises)
    folder, _ = handout.make(ROOT, tmp_path, exercises, assignment)
    assert collect.assignment_of(folder) == "autograd"
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"`{each}`" in text for each in assignment.points) and len(text.splitlines()) <= 150
    tasks = [exercises[each] for each in assignment.points]
    assert check.prove_handout(folder, cache, tasks, list(exercises.values())) == []
    for name in {each.file for each in tasks}:
        text = (folder / name).read_text(encoding="utf-8")
        assert all(len(markers.body(text, block).splitlines()) == 1 for block in markers.parse(text, name))


def test_no_two_lines_of_a_solution_stand_in_what_the_child_is_given(exercises: Exercises) -> None:
    children = [path.read_text(encoding="utf-8") for path in (ROOT / "autograder/children").glob("*.py")]
    given = [" ".join(line.split()) for text in children for line in text.splitlines() if line.strip()]
    pairs = set(zip(given, given[1:]))
    found = 0
    for name in sorted({exercises[each].file for each in CHECKS}):
        text = (ROOT / name).read_text(encoding="utf-8")
        for block in markers.parse(text, name):
            body = [" ".join(line.split()) for line in markers.body(text, block).splitlines() if line.strip()]
            found += len(body)
            assert not pairs & set(zip(body, body[1:])), f"{name}:{block.begin}"
    assert found > 100
    assert not any("SOLUTION" in (ROOT / name).read_text(encoding="utf-8") for name in GIVEN if "graph" not in name)
