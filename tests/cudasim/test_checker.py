"""What the checker decides: does anything order two accesses, is memory live and written, and did it matter.

The wrong and right kernels under `kernels/` show each kind of finding; here stand the borderlines between them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from needle.cudasim import driver, toolchain

PROGRAM = Path(__file__).parent / "programs" / "checker.cu"
TEXT = PROGRAM.read_text().splitlines()

Run = Callable[[str], driver.Outcome]


def has_compiler(name: str) -> bool:
    try:
        toolchain.find_compiler(name)
    except toolchain.ToolchainError:
        return False
    return True


COMPILERS = [name for name in ("g++", "clang++", "clang++-16", "clang++-14") if has_compiler(name)]


@pytest.fixture(scope="module", params=COMPILERS[:2])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("checker")
    program = driver.build_program(PROGRAM, folder, "checked", compiler=request.param)

    def run_case(case: str) -> driver.Outcome:
        outcome = driver.run_program(program, str(PROGRAM), "checked", [case], capture=True)
        assert outcome.exit_code == 0, f"{case}: {outcome.signal} {outcome.output}"
        return outcome

    return run_case


def kinds(outcome: driver.Outcome) -> list[str]:
    return sorted({finding["kind"] for finding in outcome.findings})


def line_with(words: str) -> int:
    return next(number for number, line in enumerate(TEXT, 1) if words in line)


def test_unwritten_value_that_reaches_the_result_is_a_fault(run: Run) -> None:
    assert kinds(run("used")) == ["uninitialised"]


def test_unwritten_value_that_is_thrown_away_is_a_remark(run: Run) -> None:
    outcome = run("thrown_away")
    assert kinds(outcome) == ["uninitialised, unused"] and not outcome.faults


def test_unwritten_value_that_decides_a_branch_is_a_fault(run: Run) -> None:
    assert kinds(run("decides")) == ["uninitialised"]


def test_accumulation_into_unwritten_global_memory_is_a_fault(run: Run) -> None:
    assert kinds(run("accumulates")) == ["uninitialised"]


def test_remark_of_one_launch_does_not_hide_the_fault_of_the_next(run: Run) -> None:
    assert kinds(run("thrown_away_then_used")) == ["uninitialised", "uninitialised, unused"]


def test_rerun_that_decides_about_unwritten_values_leaves_the_results_of_the_first_run(run: Run) -> None:
    assert run("keeps_results").output.split() == ["2", "2"]


def test_rerun_prints_nothing_a_second_time(run: Run) -> None:
    outcome = run("prints_once")
    assert outcome.output.splitlines() == ["once"] and kinds(outcome) == ["uninitialised, unused"]


def test_last_block_may_read_what_others_wrote_before_a_fence_and_an_atomic(run: Run) -> None:
    assert kinds(run("last_block")) == []


def test_last_block_without_a_fence_is_a_race(run: Run) -> None:
    outcome = run("last_block_unfenced")
    assert kinds(outcome) == ["race"]
    assert "blocks are never ordered within a launch" in outcome.findings[0]["message"]


def test_syncwarp_orders_its_warp_however_often_it_comes(run: Run) -> None:
    assert kinds(run("warp_ordered")) == []


def test_shuffle_orders_no_memory(run: Run) -> None:
    assert kinds(run("warp_unordered")) == ["race"]


def test_volatile_warp_code_computes_as_on_old_hardware_and_is_reported(run: Run) -> None:
    outcome = run("old_style_warp")
    assert outcome.output.strip() == "64" and kinds(outcome) == ["race"]


def test_write_of_the_value_that_is_there_already_is_a_remark(run: Run) -> None:
    outcome = run("same_value")
    assert kinds(outcome) == ["same-value race"] and not outcome.faults


def test_writes_of_different_values_are_a_fault(run: Run) -> None:
    assert kinds(run("other_value")) == ["race"]


def test_next_launch_is_ordered_after_the_one_before(run: Run) -> None:
    assert kinds(run("next_launch")) == []


def test_neighbouring_bytes_are_different_elements_and_the_end_is_exact(run: Run) -> None:
    outcome = run("bytes")
    assert kinds(outcome) == ["out-of-bounds"]
    assert "a[7]; a has 7 elements of 1 bytes" in outcome.findings[0]["message"]


def test_memcpy_in_a_kernel_is_checked_like_any_access(run: Run) -> None:
    outcome = run("copies")
    assert kinds(outcome) == ["out-of-bounds"]
    assert {finding["line"] for finding in outcome.findings} == {line_with("memcpy(out + 4")}


def test_access_in_a_device_function_is_reported_at_its_own_line(run: Run) -> None:
    outcome = run("through_functions")
    assert kinds(outcome) == ["out-of-bounds"]
    assert outcome.findings[0]["line"] == line_with("return a[0]")


def test_access_inside_the_standard_library_is_reported_at_the_line_that_calls_it(run: Run) -> None:
    outcome = run("through_library")
    assert kinds(outcome) == ["out-of-bounds"]
    assert outcome.findings[0]["line"] == line_with("std::max(")


def test_lane_that_its_own_mask_does_not_name_is_a_fault(run: Run) -> None:
    outcome = run("lane_outside_mask")
    assert kinds(outcome) == ["lane not in mask"]
    assert outcome.findings[0]["line"] == line_with("__shfl_sync(0xffff, 1, 0)")


def test_host_may_touch_managed_memory(run: Run) -> None:
    outcome = run("managed")
    assert outcome.output.strip() == "32" and kinds(outcome) == []


def test_coalescing_and_bank_conflicts_are_counted_per_line(run: Run) -> None:
    text = run("patterns").output
    assert "write out: 32.0 sectors per warp request, ideal 4.0 (12 %)" in text
    assert "read a: 4.0 sectors per warp request, ideal 4.0 (100 %)" in text
    assert "read s: 32.0-way bank conflict" in text
