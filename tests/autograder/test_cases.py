"""The cases: complete, the same everywhere, inside their buffers, and sharp enough to refuse lazy answers."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

import numpy as np
import pytest

from autograder.case import Case, Float32, Outcome, ViewCase
from autograder.cases import BEYOND_THE_COURSE, CHECKS, MAX_RANK, cases_for
from autograder.cases.draw import POISON_BITS, Draw
from autograder.cases.oracle import addresses, kernels
from autograder.compare import judge
from autograder.exercise import load_exercises

KERNELS = [exercise for exercise in CHECKS if not exercise.endswith(".views")]
VIEWS = [exercise for exercise in CHECKS if exercise.endswith(".views")]


def kernel_cases(exercise: str, seed: int = 7) -> list[Case]:
    return [case for case in cases_for(exercise, seed) if isinstance(case, Case)]


def view_cases(exercise: str, seed: int = 7) -> list[ViewCase]:
    return [case for case in cases_for(exercise, seed) if isinstance(case, ViewCase)]


def returned(case: Case, *outputs: Float32) -> Outcome:
    """The outcome that leaves inputs alone and holds these outputs."""
    given = iter(outputs)
    buffers = tuple(next(given) if buffer.writable else buffer.before for buffer in case.buffers)
    return Outcome("returned", buffers, (True,) * len(buffers))


def question_bytes(exercise: str, seed: int) -> bytes:
    """What is asked in every case, without the answers: those depend on the last bit of a log."""
    parts = []
    for case in cases_for(exercise, seed):
        if isinstance(case, ViewCase):
            parts.append(repr((case.id, case.start, case.allocation, case.steps, case.expected)).encode())
        else:
            parts.append(repr((case.id, case.function, case.args)).encode())
            parts += [buffer.before.tobytes() for buffer in case.buffers]
    return b"".join(parts)


@pytest.mark.parametrize("exercise", CHECKS)
def test_every_check_has_cases_and_every_case_a_check(exercise: str) -> None:
    assert {case.check for case in cases_for(exercise, 7)} == {name for name, _ in CHECKS[exercise]}


@pytest.mark.parametrize("exercise", CHECKS)
def test_ids_are_unique_and_belong_to_their_check(exercise: str) -> None:
    cases = cases_for(exercise, 7)
    assert len({case.id for case in cases}) == len(cases)
    assert all(case.id.rsplit("-", 1)[0] == case.check for case in cases)


def test_every_exercise_of_the_course_has_the_checks_of_its_cases() -> None:
    exercises = load_exercises()
    for exercise in (exercises[each] for each in CHECKS):
        assert {check.name for check in exercise.checks} == {name for name, _ in CHECKS[exercise.id]}, exercise.id


def test_checks_beyond_the_course_exist() -> None:
    for family, names in BEYOND_THE_COURSE.items():
        known = {name for exercise, checks in CHECKS.items() if exercise.split(".")[0] == family for name, _ in checks}
        assert set(names) <= known, family


def test_questions_of_seed_7_are_the_same_on_every_machine_and_python() -> None:
    digest = hashlib.sha256(b"".join(question_bytes(exercise, 7) for exercise in CHECKS)).hexdigest()
    assert digest[:16] == "1dcafaa93508aefb"


@pytest.mark.parametrize("exercise", CHECKS)
def test_equal_seeds_give_equal_cases_and_other_seeds_other_cases(exercise: str) -> None:
    assert question_bytes(exercise, 7) == question_bytes(exercise, 7)
    assert question_bytes(exercise, 7) != question_bytes(exercise, 8)


def test_unknown_exercise_is_a_key_error_that_lists_the_known_ones() -> None:
    with pytest.raises(KeyError, match="compact.cpu"):
        cases_for("compact.tpu", 7)


def test_all_cases_of_all_exercises_are_made_within_two_seconds() -> None:
    start = time.process_time()
    total = sum(len(cases_for(exercise, 11)) for exercise in CHECKS)
    assert time.process_time() - start < 2.0
    assert total < 1000


@pytest.mark.parametrize("exercise", KERNELS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_layouts_stay_inside_their_allocation_and_their_rank(exercise: str, seed: int) -> None:
    for case in kernel_cases(exercise, seed):
        if "strides" not in case.facts:
            continue
        reached = addresses(case.facts["shape"], case.facts["strides"], case.facts["offset"])
        assert not reached.size or (reached.min() >= 0 and reached.max() < case.facts["allocation"]), case.id
        assert len(case.facts["shape"]) <= MAX_RANK[exercise.split(".")[1]]
        if case.function.endswith("setitem"):
            assert len(set(reached.tolist())) == reached.size, "writes go through one-to-one layouts only"


@pytest.mark.parametrize("exercise", KERNELS)
def test_expected_values_cover_every_writable_buffer_and_no_input(exercise: str) -> None:
    for case in kernel_cases(exercise):
        writable = {k for k, buffer in enumerate(case.buffers) if buffer.writable}
        assert set(case.expected) == writable
        for k in writable:
            assert case.expected[k].values.shape == case.buffers[k].before.shape
            assert case.expected[k].values.dtype == np.float64


@pytest.mark.parametrize("exercise", KERNELS)
@pytest.mark.parametrize("seed", [7, 8, 9])
def test_the_specification_in_float32_passes_every_case(exercise: str, seed: int) -> None:
    for case in kernel_cases(exercise, seed):
        buffers = [buffer.before.copy() for buffer in case.buffers]
        arguments = [buffers[a.buffer] if hasattr(a, "buffer") else a for a in case.args]
        with np.errstate(all="ignore"):
            kernels()[case.function](*arguments)
        finding = judge(case, Outcome("returned", tuple(buffers), (True,) * len(buffers)))
        assert finding.state == "passed", (case.id, case.note, finding.message)


@pytest.mark.parametrize("exercise", KERNELS)
@pytest.mark.parametrize(
    "lazy",
    [
        pytest.param(lambda right, before: before, id="nothing written"),
        pytest.param(lambda right, before: np.zeros_like(right), id="zeros"),
        pytest.param(lambda right, before: np.ones_like(right), id="ones"),
        pytest.param(lambda right, before: np.full_like(right, right[0] if right.size else 0), id="a constant"),
        pytest.param(lambda right, before: right[::-1].copy(), id="the right answer backwards"),
        pytest.param(lambda right, before: np.roll(right, 1), id="the right answer shifted"),
        pytest.param(lambda right, before: np.full_like(right, np.nan), id="NaN"),
    ],
)
def test_lazy_answers_fail_in_every_check(exercise: str, lazy: Callable[[Float32, Float32], Float32]) -> None:
    passed: dict[str, bool] = {}
    for case in kernel_cases(exercise):
        k = next(iter(case.expected))
        with np.errstate(over="ignore"):
            right = case.expected[k].values.astype(np.float32)
        finding = judge(case, returned(case, lazy(right, case.buffers[k].before)))
        passed[case.check] = passed.get(case.check, True) and finding.state == "passed"
    assert {check for check, all_passed in passed.items() if all_passed} <= hidden_by_symmetry(lazy, exercise)


def hidden_by_symmetry(lazy: Callable[[Float32, Float32], Float32], exercise: str) -> set[str]:
    """Checks whose right answer is constant: there order and constants prove nothing, only the value does."""
    right = np.array([1.0, 2.0], dtype=np.float32)
    if np.array_equal(lazy(right, right), [0, 0]):
        return {"sum_of_nothing", "inner_zero"}
    moved = sorted(lazy(right, right)) == [1.0, 2.0] and not np.array_equal(lazy(right, right), right)
    constant = np.array_equal(lazy(right, right), [1, 1]) and lazy(right * 2, right)[0] == 2
    return {"sum_of_nothing", "inner_zero"} if moved or constant else set()


@pytest.mark.parametrize("exercise", [each for each in KERNELS if "setitem" not in each])
def test_outputs_hold_poison_or_garbage_before_the_call(exercise: str) -> None:
    for case in kernel_cases(exercise):
        before = next(buffer.before for buffer in case.buffers if buffer.writable)
        if case.check == "garbage":
            assert np.isfinite(before).all() and before.all()
        else:
            assert (before.view(np.uint32) == POISON_BITS).all()


@pytest.mark.parametrize("exercise", KERNELS)
def test_nan_is_an_input_only_where_a_rule_about_nan_is_tested(exercise: str) -> None:
    for case in kernel_cases(exercise):
        inputs = [buffer.before for buffer in case.buffers if not buffer.writable]
        if any(np.isnan(each).any() for each in inputs):
            assert case.check in ("maximum_nan", "nan", "eq", "ge"), case.id


@pytest.mark.parametrize("exercise", ["reduce.cpu", "matmul.cpu", "matmul_tiled.cpu"])
def test_bounds_are_small_beside_the_answers(exercise: str) -> None:
    for case in kernel_cases(exercise):
        for expected in case.expected.values():
            if isinstance(expected.bound, np.ndarray):
                assert (np.asarray(expected.bound) < 2e-3 * np.abs(expected.values).max()).all(), case.id


def test_running_float32_sum_of_4096_terms_passes() -> None:
    cases = [case for case in kernel_cases("reduce.cpu") if case.check == "sum_rounding"]
    assert max(case.facts["reduce_size"] for case in cases) == 4096
    for case in cases:
        rows = case.buffers[0].before.reshape(case.facts["out_size"], -1)
        running = np.cumsum(rows, axis=1, dtype=np.float32)[:, -1]  # cumsum adds one by one
        assert judge(case, returned(case, running)).state == "passed"


def test_transpose_of_2x3_is_among_the_cases_with_the_lesson_s_answer() -> None:
    case = next(case for case in kernel_cases("compact.cpu") if case.note == "the transpose of a 2x3")
    assert (case.facts["shape"], case.facts["strides"], case.facts["offset"]) == ((3, 2), (1, 3), 0)
    assert case.expected[1].values.tolist() == case.buffers[0].before[[0, 3, 1, 4, 2, 5]].tolist()


def test_slice_of_a_slice_starts_inside_the_first() -> None:
    case = next(case for case in view_cases("getitem.views") if case.note == "(8, 8)[2:8, 2:8][1:3, 1:3]")
    assert case.expected == ((2, 2), (8, 1), 27)


@pytest.mark.parametrize("exercise", VIEWS)
def test_every_view_chain_ends_with_its_own_operation_and_stays_inside(exercise: str) -> None:
    for case in view_cases(exercise):
        assert case.steps[-1][0] == exercise.split(".")[0]
        if not isinstance(case.expected, str):
            reached = addresses(*case.expected)
            assert not reached.size or (reached.min() >= 0 and reached.max() < case.allocation), case.id


def test_drawn_numbers_lie_in_their_range_and_orders_are_permutations() -> None:
    draw = Draw(3, "test")
    drawn = draw.integers(1000, -2, 2)
    assert set(drawn.tolist()) == {-2, -1, 0, 1, 2}
    assert sorted(draw.order(50).tolist()) == list(range(50))
    distinct = draw.distinct(100, start=5)
    assert sorted(np.abs(distinct).tolist()) == list(range(5, 105))
    reals = draw.reals(1000, -0.5, 2.0)
    assert reals.min() >= -0.5 and reals.max() <= 2.0 and reals.dtype == np.float32
