"""The simulator runs kernels with CUDA's semantics: threads, barriers, warps, memory and errors, plain and checked."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from needle.cudasim import driver

PROGRAM = Path(__file__).parent / "programs" / "runtime.cu"

Run = Callable[..., driver.Outcome]


@contextmanager
def environment(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@pytest.fixture(scope="module", params=["plain", "checked"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs one case of the program in one mode and returns what it showed."""
    mode: str = request.param
    folder = tmp_path_factory.mktemp(mode)
    program = driver.build_program(PROGRAM, folder, mode)

    def run_case(case: str, seed: int = 0, **settings: str) -> driver.Outcome:
        with environment(**settings):
            outcome = driver.run_program(program, str(PROGRAM), mode, [case], seed=seed, capture=True)
        assert outcome.exit_code == 0, f"{case}: {outcome.signal} {outcome.output}"
        return outcome

    return run_case


def kinds(outcome: driver.Outcome) -> list[str]:
    return [finding["kind"] for finding in outcome.findings]


def test_every_thread_sees_its_own_indexes_in_three_dimensions(run: Run) -> None:
    got = [int(word) for word in run("indexes").output.split()]
    want = [
        x + 10 * y + 100 * z + 1000 * bx + 100000 * bz
        for bz in range(2)
        for bx in range(2)
        for z in range(2)
        for y in range(2)
        for x in range(3)
    ]
    assert got == want


@pytest.mark.parametrize("switch", ["assembly", "ucontext"])
def test_barrier_makes_shared_writes_of_all_threads_visible(run: Run, switch: str) -> None:
    assert run("reverse", CUDASIM_SWITCH=switch).output.split() == ["63", "62", "61", "60"]


@pytest.mark.parametrize("switch", ["assembly", "ucontext"])
def test_tree_reduction_with_barriers_sums_all_elements(run: Run, switch: str) -> None:
    assert run("tree", CUDASIM_SWITCH=switch).output.split() == [str(sum(range(64)))]


def test_threads_run_in_order_without_a_seed(run: Run) -> None:
    assert run("order").output.split() == [str(i) for i in range(64)]


def test_seed_permutes_threads_within_warps_and_warps_and_is_repeatable(run: Run) -> None:
    first, again, other = (run("order", seed=seed).output.split() for seed in (7, 7, 8))
    assert first == again != other
    assert sorted(map(int, first)) == list(range(64)) != list(map(int, first))
    warp = sorted(map(int, first[:32]))
    assert warp == list(range(warp[0], warp[0] + 32)), "the threads of a warp run together"


def test_counting_barriers_return_count_and_or_to_every_thread(run: Run) -> None:
    assert run("counts").output.split() == ["107"]


def test_shuffle_masks_make_independent_groups_of_one_warp(run: Run) -> None:
    got = [int(word) for word in run("two_groups").output.split()]
    assert got[0] == sum(range(16)) + 500 and got[16] == sum(range(16, 32))


def test_match_and_reduce_use_the_lanes_of_their_mask(run: Run) -> None:
    got = [int(float(word)) for word in run("votes").output.split()]
    assert got[3] == sum(range(1, 32))
    assert got[2] == 1


def test_activemask_names_the_lanes_that_have_not_returned(run: Run) -> None:
    assert len(run("active").output.split()) == 3


def test_device_memory_starts_as_ones_so_that_floats_are_nan(run: Run) -> None:
    assert run("poison").output.strip() == "ffffffff"


def test_shared_memory_does_not_keep_the_values_of_the_block_before(run: Run) -> None:
    assert "nan" in run("shared_poison").output


def test_freed_addresses_are_not_used_again(run: Run) -> None:
    assert run("fresh_addresses").output.strip() == "0"


def test_errors_are_told_once_and_the_device_lives_on(run: Run) -> None:
    first, second, third = run("errors").output.splitlines()
    assert first.split() == ["cudaErrorInvalidConfiguration", "cudaErrorInvalidConfiguration", "cudaSuccess"]
    assert second.split() == ["cudaErrorIllegalAddress", "cudaSuccess", "3"]
    assert third.split() == ["cudaSuccess", "cudaErrorInvalidValue", "cudaErrorMemoryAllocation"]


def test_symbols_are_copied_to_and_from_device_variables(run: Run) -> None:
    assert run("symbols").output.split() == ["9", "1", "2", "3", "4"]


def test_printf_of_a_kernel_comes_before_what_the_host_prints_next(run: Run) -> None:
    assert run("says").output.splitlines() == ["thread 0 of 2", "thread 1 of 2", "host"]


@pytest.mark.parametrize(
    ("case", "error", "kind"),
    [
        ("throws", "cudaErrorLaunchFailure", "exception"),
        ("aborts", "cudaErrorLaunchFailure", "abort"),
        ("divides", "cudaErrorLaunchFailure", "integer division by zero"),
        ("overflows", "cudaErrorIllegalAddress", "stack overflow"),
        ("deadlock", "cudaErrorLaunchFailure", "deadlock"),
        ("host_pointer", "cudaErrorIllegalAddress", "host pointer"),
    ],
)
def test_failing_kernel_is_a_finding_and_the_program_goes_on(run: Run, case: str, error: str, kind: str) -> None:
    outcome = run(case)
    if case == "host_pointer" and outcome.mode == "plain":
        assert outcome.output.strip() == "cudaSuccess", "plain mode cannot see that host memory is read"
        return
    assert outcome.output.strip() == error
    assert kinds(outcome) == [kind]


def test_write_far_beyond_an_array_is_seen_even_in_plain_mode(run: Run) -> None:
    outcome = run("beyond")
    assert "out-of-bounds" in kinds(outcome)
    assert "has 1024 elements" in outcome.findings[0]["message"]


def test_launch_above_the_thread_budget_says_so_and_does_not_run(run: Run) -> None:
    outcome = run("huge")
    assert outcome.output.strip() == "cudaErrorLaunchTimeout"
    assert [finding["severity"] for finding in outcome.findings] == ["limit"]
    assert "40960000000 threads" in outcome.findings[0]["message"]


def test_launch_of_twenty_million_threads_gets_no_finding(run: Run) -> None:
    outcome = run("many")
    assert outcome.output.strip() == "cudaSuccess" and not outcome.findings


def test_copy_whose_direction_contradicts_its_pointers_is_refused(run: Run) -> None:
    outcome = run("bad_copy")
    assert outcome.output.strip() == "cudaErrorInvalidValue" and kinds(outcome) == ["bad copy"]
