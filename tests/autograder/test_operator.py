"""One operator across every boundary: what is wrong at one costs there and nowhere else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from autograder import check, collect, handout, score
from autograder.boundaries.route import judge
from autograder.case import Case, Outcome
from autograder.cases import cases_for
from autograder.cases.power import CHECKS, LENGTHS
from autograder.check import Checker
from autograder.exercise import Exercise, load_assignment
from autograder.runner import request_of
from tests.autograder.specimens.autograd import Specimen
from tests.autograder.specimens.power import RARER, RIGHT, WRONG
from tests.autograder.test_autograd import changed, named, run

ROOT = Path(__file__).resolve().parents[2]
SEED = 7
CHOSEN = [each for each in [*WRONG, *RIGHT] if each.name not in RARER or os.environ.get("SPECIMENS") == "all"]
Exercises = dict[str, Exercise]
Results = dict[str, Future[score.ExerciseResult]]


@pytest.fixture(scope="module")
def graded(cache: Path, exercises: Exercises) -> Iterator[Results]:
    """Every specimen, graded two at a time while the tests wait for theirs."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        yield {
            each.name: pool.submit(run, exercises[each.exercise], changed(each, exercises), cache, exercises)
            for each in CHOSEN
        }
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("specimen", [each for each in CHOSEN if each.checks], ids=named)
def test_a_wrong_version_fails_in_its_own_checks(specimen: Specimen, graded: Results) -> None:
    result = graded[specimen.name].result()
    assert {each.name for each in result.checks if each.state != "passed"} == set(specimen.checks), result.message
    told = [each.finding.diagnosis for each in result.checks if each.finding]
    assert any(specimen.diagnosis in each for each in told), told


@pytest.mark.parametrize("specimen", [each for each in CHOSEN if not each.checks], ids=named)
def test_an_unusual_version_that_is_right_passes(specimen: Specimen, graded: Results) -> None:
    result = graded[specimen.name].result()
    assert result.state == "passed", [each.finding for each in result.checks if each.finding][:2] or result.message


def test_every_boundary_has_a_wrong_and_a_right_specimen() -> None:
    assert {each.exercise for each in WRONG} == {each.exercise for each in RIGHT} == set(CHECKS)
    assert {each.name for each in WRONG} >= RARER


@pytest.mark.parametrize("exercise", CHECKS)
def test_every_check_has_cases_that_are_the_same_for_the_same_seed(exercise: str) -> None:
    cases = cases_for(exercise, SEED)
    assert {case.check for case in cases} == set(CHECKS[exercise])
    assert len({case.id for case in cases}) == len(cases)
    assert [request_of(case) for case in cases] == [request_of(case) for case in cases_for(exercise, SEED)]


@pytest.mark.parametrize("exercise", CHECKS)
def test_lengths_around_a_block_of_threads_are_among_the_cases(exercise: str) -> None:
    sizes = {case.facts["size"] for case in cases_for(exercise, SEED) if case.check == "values"}
    assert sizes >= set(LENGTHS) == {1, 255, 256, 257, 1000}


def test_a_wrong_rule_costs_the_gradient_alone(cache: Path, exercises: Exercises, tmp_path: Path) -> None:
    wanted = [exercises[each] for each in load_assignment("operator", exercises).points if each != "power.cuda"]
    submission = collect.collect(ROOT, wanted)
    text = submission.files[exercises["power.gradient"].file].decode()
    wrong = text.replace("by_b = a**b * (a + a.eq(0.0) * (b >= 0.0)).log()", "by_b = a * b").encode()
    files = submission.files | {exercises["power.gradient"].file: wrong}
    checker = Checker(ROOT, ROOT, cache, SEED)
    states = {}
    for each in wanted:
        siblings = [other.id for other in exercises.values() if other.file == each.file and other.id != each.id]
        states[each.id] = checker.exercise(each, 10.0, collect.Submission(files), siblings).state
    assert states.pop("power.gradient") == "failed" and set(states.values()) == {"passed"}


def test_an_unwritten_neighbour_in_the_same_file_costs_nothing(cache: Path, exercises: Exercises) -> None:
    exercise = exercises["power.dispatch"]
    text = (ROOT / exercise.file).read_text(encoding="utf-8")
    source = text.replace("    out[:] = np.power(a, b)\n", '    raise unfinished("power.numpy")\n').encode()
    assert run(exercise, source, cache, exercises).state == "passed"
    assert run(exercises["power.numpy"], source, cache, exercises).state == "unfinished"
    broken = text.replace("    out[:] = np.power(a, b)\n", "    out[:] = np.power(a, b\n").encode()
    assert run(exercise, broken, cache, exercises).state == "passed"
    assert run(exercises["power.numpy"], broken, cache, exercises).state == "does not compile"


def test_a_border_that_does_not_compile_is_told_at_its_line(cache: Path, exercises: Exercises) -> None:
    exercise = exercises["power.binding"]
    text = (ROOT / exercise.file).read_text(encoding="utf-8")
    result = run(exercise, text.replace("b.data, out.data", "b.dat, out.data").encode(), cache, exercises)
    line = next(k for k, each in enumerate(text.splitlines(), 1) if "b.data, out.data" in each)
    assert result.state == "does not compile" and result.place == f"{exercise.file}:{line}"


def test_a_refusal_passes_only_in_the_right_class_and_words() -> None:
    case = next(case for case in cases_for("power.binding", SEED) if case.check == "sizes_refused")
    assert isinstance(case, Case)
    words = "ValueError: ewise_power: sizes must agree, but a has 4 elements and b has 5 elements"
    assert judge(case, Outcome("raised", value=("ValueError",), detail=words), frozenset()).state == "passed"
    assert judge(case, Outcome("raised", value=("TypeError",), detail=words), frozenset()).state == "failed"
    other = "ValueError: ewise_power: sizes must agree, but a has 4 elements and out has 5 elements"
    assert judge(case, Outcome("raised", value=("ValueError",), detail=other), frozenset()).state == "failed"
    buffers = tuple(each.before for each in case.buffers)
    assert judge(case, Outcome("returned", buffers, (True,) * 3), frozenset()).state == "failed"
    assert judge(case, Outcome("crashed", detail="SIGSEGV"), frozenset()).state == "crashed"
    assert np.isnan(buffers[2]).all()


def test_the_handout_of_the_assignment_is_whole_and_unfinished(
    tmp_path: Path, cache: Path, exercises: Exercises
) -> None:
    assignment = load_assignment("operator", exercises)
    folder, _ = handout.make(ROOT, tmp_path, exercises, assignment)
    assert collect.assignment_of(folder) == "operator"
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"`{each}`" in text for each in assignment.points) and len(text.splitlines()) <= 150
    tasks = [exercises[each] for each in assignment.points]
    assert check.prove_handout(folder, cache, tasks, list(exercises.values())) == []
