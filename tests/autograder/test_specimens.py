"""Who grades the grader: wrong kernels must fail in the right checks with the right diagnosis, unusual ones must pass.

A few of each family run by default; SPECIMENS=all runs all of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from autograder import build
from tests.autograder.specimens import harness
from tests.autograder.specimens.harness import Graded, Specimen

# One mistake that hides well, and one unusual right answer, of each family; views need no compiler and all run.
REPRESENTATIVE = {
    "wrong/compact.cpu__offset_ignored",
    "wrong/setitem.cpu__strides_ignored",
    "wrong/ewise.cpu__tail_missed",
    "wrong/scalar.cpu__power_by_logarithm",
    "wrong/reduce.cpu__max_from_zero",
    "wrong/matmul.cpu__b_row_length_n",
    "wrong/matmul_tiled.cpu__b_by_left_width",
    "right/compact.cpu__recursion",
    "right/setitem.cpu__templates",
    "right/reduce.cpu__naive_float_sum",
    "right/matmul.cpu__blocks_and_fma",
    "wrong/compact.cuda__does_not_compile",
    "wrong/compact.cuda__offset_ignored",
    "wrong/setitem.cuda__first_axis_lost",
    "wrong/ewise.cuda__guard_on_whole_blocks",
    "wrong/scalar.cuda__assert_fails",
    "wrong/reduce.cuda__tree_without_a_barrier",
    "wrong/matmul.cuda__block_of_33_squared",
    "right/compact.cuda__layout_in_device_memory",
    "right/reduce.cuda__atomics_in_shared_memory",
    "right/matmul.cuda__products_by_atomics",
}
EVERY = harness.all_specimens()
CHOSEN = [
    each
    for each in EVERY
    if os.environ.get("SPECIMENS") == "all" or each.exercise.backend == "views" or each.name in REPRESENTATIVE
]


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Future[Graded]]]:
    """Every chosen specimen, graded two at a time while the tests wait for theirs."""
    builder = build.Builder(harness.ROOT, cache := harness.ROOT / "build" / "grader")
    cache.mkdir(parents=True, exist_ok=True)
    folder = tmp_path_factory.mktemp("specimens")
    with ThreadPoolExecutor(max_workers=2) as pool:
        yield {
            each.name: pool.submit(harness.grade, each, builder, folder / each.name.replace("/", "_"))
            for each in CHOSEN
        }
        pool.shutdown(cancel_futures=True)


RUNNING_WRONG = [each for each in CHOSEN if each.state in ("failed", "time-out")]


@pytest.mark.parametrize("specimen", RUNNING_WRONG, ids=lambda each: each.name)
def test_wrong_kernel_fails_in_its_checks_and_is_diagnosed(
    specimen: Specimen, graded: dict[str, Future[Graded]]
) -> None:
    found = graded[specimen.name].result()
    assert found.failing_checks() == specimen.checks
    assert found.diagnoses() == specimen.diagnoses
    assert specimen.state in {finding.state for _, finding in found.findings}


@pytest.mark.parametrize(
    "specimen", [each for each in RUNNING_WRONG if each.exercise.backend == "cuda"], ids=lambda each: each.name
)
def test_wrong_cuda_kernel_gets_its_finding_at_its_line(specimen: Specimen, graded: dict[str, Future[Graded]]) -> None:
    found = graded[specimen.name].result()
    assert {fault.kind for fault in found.faults} == specimen.kinds
    if specimen.line:
        place = f"({Path(specimen.exercise.file).name}:{specimen.line})"
        assert all(place in fault.message for fault in found.faults), found.faults[:3]
    assert any(specimen.told in finding.message for _, finding in found.findings)


@pytest.mark.parametrize(
    "specimen", [each for each in CHOSEN if each.state == "does not compile"], ids=lambda each: each.name
)
def test_file_that_does_not_compile_is_told_at_its_own_line(
    specimen: Specimen, graded: dict[str, Future[Graded]]
) -> None:
    error = graded[specimen.name].result().error
    assert error is not None and error.line == specimen.line and specimen.told in error.error


@pytest.mark.parametrize("specimen", [each for each in CHOSEN if each.state == "passed"], ids=lambda each: each.name)
def test_unusual_but_right_kernel_passes(specimen: Specimen, graded: dict[str, Future[Graded]]) -> None:
    found = graded[specimen.name].result()
    assert found.error is None and not found.faults
    assert {finding.state for _, finding in found.findings} == {"passed"}, [
        finding.message for _, finding in found.findings if finding.state != "passed"
    ][:3]


def test_every_family_has_wrong_and_right_specimens() -> None:
    kinds = {(each.exercise.id, each.state) for each in EVERY}
    kernels = [each for each in harness.EXERCISES.values() if each.backend in ("cpu", "cuda", "views")]
    wanted = [each.id for each in kernels if each.family != "power"]  # its specimens: test_operator.py
    assert kinds >= {(exercise, state) for exercise in wanted for state in ("failed", "passed")}


def test_the_cuda_specimens_are_as_many_as_promised() -> None:
    cuda = [each for each in EVERY if each.exercise.backend == "cuda"]
    assert sum(each.state != "passed" for each in cuda) >= 45 and sum(each.state == "passed" for each in cuda) >= 12


def test_representative_specimens_exist() -> None:
    assert {each.name for each in EVERY} >= REPRESENTATIVE
