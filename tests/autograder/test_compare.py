"""The judge: what passes, what fails, and what the first sentence of a failure says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograder.case import Buffer, Case, Expected, Outcome, Ref, ViewCase
from autograder.cases.draw import poison
from autograder.compare import judge, plain_layout, wrong_elements

NAN, INF = float("nan"), float("inf")


def f32(*values: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.array(values, dtype=np.float32)


def f64(*values: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array(values, dtype=np.float64)


def doubled(*values: float, bound: Any = 0.0) -> Case:
    """A case of scalar_mul by 2."""
    a = f32(*values)
    expected = {1: Expected(2.0 * a.astype(np.float64), bound)}
    buffers = (Buffer("a", a), Buffer("out", poison(a.size), writable=True))
    return Case("mul-1", "mul", "scalar_mul", (Ref(0), 2.0, Ref(1)), buffers, expected)


def outcome(*buffers: Any, bands: tuple[bool, ...] = (True, True)) -> Outcome:
    return Outcome("returned", buffers, bands)


def view(expected: Any, *steps: Any) -> ViewCase:
    return ViewCase("order-1", "order", ((2, 3), (3, 1), 0), 6, steps or (("permute", (1, 0)),), expected, "a.permute")


def test_right_result_passes() -> None:
    assert judge(doubled(1, -2, 3), outcome(f32(1, -2, 3), f32(2, -4, 6))).state == "passed"


def test_one_wrong_element_fails_and_is_named_with_both_values() -> None:
    finding = judge(doubled(1, -2, 3), outcome(f32(1, -2, 3), f32(2, -4, 7)))
    assert (finding.state, finding.first_wrong, finding.got, finding.want) == ("failed", (2,), 7.0, 6.0)
    assert finding.message == "out[2] is 7, should be 6 (1 of 3 elements are wrong)"


def test_last_bit_counts_where_the_bound_is_zero() -> None:
    near = np.nextafter(np.float32(6), np.float32(7))
    assert judge(doubled(3), outcome(f32(3), f32(float(near)))).state == "failed"


def test_error_up_to_the_bound_passes_and_beyond_it_fails() -> None:
    case = doubled(3, bound=f64(0.25))
    assert judge(case, outcome(f32(3), f32(6.25))).state == "passed"
    assert judge(case, outcome(f32(3), f32(6.2500005))).state == "failed"


def test_element_that_was_never_written_is_called_so() -> None:
    finding = judge(doubled(1, 2), outcome(f32(1, 2), np.concatenate([f32(2), poison(1)])))
    assert finding.message == "out[1] was never written, should be 4 (1 of 2 elements are wrong)"


@pytest.mark.parametrize(
    ("got", "want", "right"),
    [
        pytest.param(NAN, NAN, True, id="NaN where NaN belongs"),
        pytest.param(NAN, 1.0, False, id="NaN where a number belongs"),
        pytest.param(1.0, NAN, False, id="a number where NaN belongs"),
        pytest.param(INF, INF, True, id="infinity where infinity belongs"),
        pytest.param(-INF, INF, False, id="the other infinity"),
        pytest.param(3.4e38, INF, False, id="a large number where infinity belongs"),
        pytest.param(INF, 3.4e38, False, id="infinity where a large number belongs"),
        pytest.param(-0.0, 0.0, True, id="minus zero where zero belongs"),
    ],
)
@pytest.mark.parametrize("bound", [0.0, 1e-3, 1e30])
def test_special_values_are_compared_both_ways(got: float, want: float, right: bool, bound: float) -> None:
    assert wrong_elements(f32(got), Expected(f64(want), bound)).tolist() == [not right]


def test_poison_left_where_nan_belongs_is_wrong() -> None:
    assert wrong_elements(poison(1), Expected(f64(NAN))).tolist() == [True]


def test_changed_input_fails_although_the_result_is_right() -> None:
    finding = judge(doubled(1, 2), outcome(f32(1, 5), f32(2, 4)))
    assert (finding.state, finding.message) == ("failed", "changed its input: a[1] was 2, is 5")


def test_input_whose_nan_changed_its_bits_is_a_changed_input() -> None:
    case = doubled(NAN)
    assert judge(case, outcome(poison(1), f32(NAN))).state == "failed"


@pytest.mark.parametrize("bands", [(True, False), (False, True)])
def test_broken_guard_band_fails_although_the_result_is_right(bands: tuple[bool, ...]) -> None:
    finding = judge(doubled(1), outcome(f32(1), f32(2), bands=bands))
    assert finding.state == "failed" and "wrote outside" in finding.message


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(Outcome("returned"), id="no buffers"),
        pytest.param(outcome(f32(1), f32(2), bands=()), id="no bands"),
        pytest.param(outcome(f32(2)), id="one buffer"),
        pytest.param(outcome(f32(1), f32(2, 2)), id="a longer buffer"),
        pytest.param(outcome(f32(1), f64(2)), id="another dtype"),
        pytest.param(Outcome("missing"), id="nothing"),
        pytest.param(None, id="no outcome"),
        pytest.param(Outcome("raised", detail="ValueError: no"), id="an error"),
    ],
)
def test_whatever_is_missing_fails(bad: Outcome | None) -> None:
    assert judge(doubled(1), bad).state == "failed"


@pytest.mark.parametrize("kind", ["crashed", "time-out", "out of memory"])
def test_how_a_call_ended_is_its_own_state(kind: Any) -> None:
    finding = judge(doubled(1), Outcome(kind, detail="SIGSEGV"))
    assert finding.state == kind and "SIGSEGV" in finding.message


def test_not_implemented_is_unfinished() -> None:
    assert judge(doubled(1), Outcome("raised", detail="NotImplementedError: x is unfinished")).state == "unfinished"
    assert judge(view("ValueError"), Outcome("raised", detail="NotImplementedError: x")).state == "unfinished"


def test_view_that_reaches_the_right_elements_passes() -> None:
    assert judge(view(((3, 2), (1, 3), 0)), Outcome("returned", value=((3, 2), (1, 3), 0))).state == "passed"
    assert judge(view(((3, 2), (1, 3), 0)), Outcome("returned", value=[[3, 2], [1, 3], 0])).state == "passed"


def test_view_that_reaches_another_element_fails_with_index_and_both_elements() -> None:
    finding = judge(view(((3, 2), (1, 3), 0)), Outcome("returned", value=((3, 2), (2, 1), 0)))
    assert (finding.state, finding.first_wrong, finding.got, finding.want) == ("failed", (0, 1), 1.0, 3.0)


def test_strides_of_axes_of_length_one_do_not_count() -> None:
    case = view(((1, 3), (3, 1), 0))
    assert judge(case, Outcome("returned", value=((1, 3), (0, 1), 0))).state == "passed"
    assert judge(case, Outcome("returned", value=((1, 3), (-77, 1), 0))).state == "passed"


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(((2, 3), (1, 3), 0), id="another shape"),
        pytest.param(((3, 2), (1, 9), 0), id="reaches beyond the allocation"),
        pytest.param(((3, 2), (-1, 3), 0), id="reaches before the allocation"),
        pytest.param(((3, 2), (1, 3), 0.0), id="an offset that is no int"),
        pytest.param(((3, 2), (1,), 0), id="too few strides"),
        pytest.param(((3, 2), (1, 3)), id="no offset"),
        pytest.param(((3, 2), (True, 3), 0), id="a bool for a stride"),
        pytest.param(((3, 2), (1, 1 << 80), 0), id="a stride beyond all numbers"),
        pytest.param("(3, 2), (1, 3), 0", id="text"),
        pytest.param(None, id="None"),
    ],
)
def test_anything_else_for_a_layout_fails(value: Any) -> None:
    assert judge(view(((3, 2), (1, 3), 0)), Outcome("returned", value=value)).state == "failed"


def test_empty_view_needs_its_shape_and_an_offset_within_the_buffer() -> None:
    case = view(((0, 3), (3, 1), 6))
    assert judge(case, Outcome("returned", value=((0, 3), (5, 5), 0))).state == "passed"
    assert judge(case, Outcome("returned", value=((0, 3), (3, 1), 7))).state == "failed"
    assert judge(case, Outcome("returned", value=((3, 0), (3, 1), 0))).state == "failed"


def test_large_view_is_judged_by_its_corners_and_a_sample() -> None:
    shape, strides = (1000, 1000), (1000, 1)
    case = ViewCase("x-1", "x", (shape, strides, 0), 10**6, (("permute", (0, 1)),), (shape, strides, 0))
    assert judge(case, Outcome("returned", value=(shape, strides, 0))).state == "passed"
    assert judge(case, Outcome("returned", value=(shape, (1, 1000), 0))).state == "failed"


@pytest.mark.parametrize(
    ("raised", "state"),
    [
        ("ValueError: no", "passed"),
        ("ValueError,Exception\nno", "passed"),
        ("UnicodeError: a kind of ValueError", "passed"),
        ("MyError,ValueError,Exception\nno", "passed"),
        ("IndexError: no", "failed"),
        ("AssertionError", "failed"),
        ("", "failed"),
    ],
)
def test_refusal_needs_the_right_class_of_error(raised: str, state: str) -> None:
    assert judge(view("ValueError"), Outcome("raised", detail=raised)).state == state


def test_assignment_may_accept_other_errors() -> None:
    refused = Outcome("raised", detail="AssertionError: no")
    assert judge(view("ValueError"), refused, also_accept=("AssertionError",)).state == "passed"


def test_refusal_that_never_came_says_what_was_returned() -> None:
    finding = judge(view("ValueError"), Outcome("returned", value=((3, 2), (1, 3), 0)))
    assert finding.state == "failed" and "should raise ValueError" in finding.message


def test_plain_layout_takes_tuples_and_lists_of_ints_only() -> None:
    assert plain_layout([[2], [1], 0]) == ((2,), (1,), 0)
    assert plain_layout(((-1,), (1,), 0)) is None
    assert plain_layout(((np.int64(2),), (1,), 0)) is None


def test_setitem_that_touches_an_element_outside_the_view_says_so() -> None:
    before = f32(1, 2, 3, 4)
    facts = {"shape": (2,), "strides": (2,), "offset": 0, "allocation": 4}
    buffers = (Buffer("out", before, writable=True),)
    case = Case(
        "s-1",
        "s",
        "scalar_setitem",
        (2, 9.0, Ref(0), (2,), (2,), 0),
        buffers,
        {0: Expected(f64(9, 2, 9, 4))},
        "",
        facts,
    )
    assert judge(case, outcome(f32(9, 2, 9, 4), bands=(True,))).state == "passed"
    finding = judge(case, outcome(f32(9, 9, 9, 4), bands=(True,)))
    assert finding.message == "out[1] lies outside the view and must stay 2, but is 9 (1 of 4 elements are wrong)"
