"""The border: the same bad call is refused by every backend with the same class and words, and good ones pass."""

from __future__ import annotations

import gc
import re
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from needle.backend_ndarray.rules import RULES
from tests.needle.backends import DEVICES, Backend, backend
from tests.needle.bad_calls import VIEWED, Bad, cases, view_call

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(params=DEVICES)
def on(request: pytest.FixtureRequest) -> Backend:
    return backend(request.param)


CASES = cases()


def refusal(case: Bad, on: Backend) -> tuple[type[Exception], str]:
    """What the table says must be raised: the class, and the text with its values."""
    error, text = RULES[case.rule]
    return error, text.format(**{"device": on.name, **case.values})


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_bad_call_is_refused_in_the_words_of_the_table(on: Backend, case: Bad) -> None:
    error, text = refusal(case, on)
    on.mod.reset_counters()
    with pytest.raises(error) as raised:
        case.call(on.mod, on.mod.Array)
    assert type(raised.value) is error and str(raised.value) == text
    assert on.mod.counters()["launches"] == 0


@pytest.mark.parametrize("op", VIEWED)
def test_one_axis_more_than_the_limit_is_refused_and_the_limit_is_not(on: Backend, op: str) -> None:
    limit = on.mod.__max_rank__
    assert limit == (8 if on.device.name.startswith("cuda") else 32)
    view_call(op, (1,) * limit, (1,) * limit, 0, 1)(on.mod, lambda size: on.array(np.zeros(size)))
    with pytest.raises(ValueError) as raised:
        view_call(op, (1,) * (limit + 1), (1,) * (limit + 1), 0, 1)(on.mod, on.mod.Array)
    assert str(raised.value) == RULES["rank_limit"][1].format(op=op, rank=limit + 1, device=on.name, limit=limit)


@pytest.mark.parametrize("here, there", list(permutations(DEVICES, 2)), ids=" given ".join)
def test_handle_of_another_backend_is_refused_by_name(here: str, there: str) -> None:
    on, foreign = backend(here), backend(there)
    with pytest.raises(TypeError) as raised:
        on.mod.ewise_add(on.mod.Array(1), foreign.mod.Array(1), on.mod.Array(1))
    got = f"an Array of {foreign.name}"
    assert str(raised.value) == RULES["handle"][1].format(op="ewise_add", arg="b", device=on.name, got=got)


# The limit differs from backend to backend (above), and only cpu has tiles (test_backend_cpu.py).
NOT_FOR_ALL = {"rank_limit", "tile_multiple"}


def test_every_rule_has_a_bad_call() -> None:
    assert {case.rule for case in CASES.values()} | NOT_FOR_ALL == set(RULES)


def test_rules_are_the_same_in_cpp_and_python() -> None:
    text = (ROOT / "src/common/rules.h").read_text()
    found = re.findall(r'X\((\w+),\s*(\w+),\s*"([^"]*)"\)', text)
    assert {name: (error, words) for name, error, words in found} == {
        name: (error.__name__, words) for name, (error, words) in RULES.items()
    }
    assert [name for name, _, _ in found] == list(RULES)


NUMBERS = (1, True, 1.5, np.float32(2), np.float64(2), np.int8(3), np.bool_(True))


@pytest.mark.parametrize("value", NUMBERS, ids=lambda value: type(value).__name__)
def test_python_and_numpy_numbers_are_scalars(on: Backend, value: Any) -> None:
    out = on.poisoned(2)
    on.mod.fill(out, value)
    np.testing.assert_array_equal(on.read(out), np.full(2, float(value)))


def test_numpy_integers_and_lists_are_sizes_and_shapes(on: Backend) -> None:
    a, out = on.array(np.arange(6)), on.mod.Array(np.int64(6))
    on.mod.compact(a, out, [np.int32(3), 2], [1, np.int64(3)], np.uint8(0))
    np.testing.assert_array_equal(on.read(out), [0, 3, 1, 4, 2, 5])


def test_fraction_is_no_size_and_number_is_no_shape(on: Backend) -> None:
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        on.mod.Array(1.5)
    with pytest.raises(TypeError, match="'int' object is not iterable"):
        on.mod.to_numpy(on.mod.Array(1), 1, (1,), 0)
    with pytest.raises(TypeError):
        on.mod.fill(on.mod.Array(1))


def test_stride_of_an_axis_of_length_one_may_be_any_number(on: Backend) -> None:
    a, out = on.array([1.0, 2.0]), on.poisoned(2)
    for stride in (0, 2**63 - 1, -(2**63)):
        on.mod.compact(a, out, (1, 2), (stride, 1), 0)
        on.mod.ewise_setitem(a, out, (2, 1), (1, stride), 0)
        np.testing.assert_array_equal(on.read(out), [1.0, 2.0])


lengths = st.lists(st.tuples(st.integers(0, 4), st.integers(-9, 9)), max_size=4)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(axes=lengths, offset=st.integers(-3, 30), size=st.integers(0, 30))
def test_a_layout_passes_exactly_if_every_index_is_inside(on: Backend, axes: Any, offset: int, size: int) -> None:
    shape, strides = tuple(n for n, _ in axes), tuple(s for _, s in axes)
    reached = [offset + sum(i * s for i, s in zip(index, strides, strict=True)) for index in np.ndindex(*shape)]
    inside = all(0 <= position < size for position in reached) if reached else 0 <= offset <= size
    unique = len(set(reached)) == len(reached)
    a = on.array(np.arange(size))
    try:
        np.testing.assert_array_equal(on.mod.to_numpy(a, shape, strides, offset).reshape(-1), reached)
        assert inside
    except ValueError as error:
        assert not inside and "reach elements" in str(error)
    try:
        on.mod.scalar_setitem(len(reached), 1.0, a, shape, strides, offset)
        assert inside and unique  # the test for one-to-one may refuse more, never less
    except ValueError as error:
        assert not inside or "may reach one element by two indices" in str(error)


def test_empty_work_is_no_launch_and_no_error(on: Backend) -> None:
    empty, one = on.mod.Array(0), on.array([5.0])
    assert empty.size == 0
    on.mod.reset_counters()
    on.mod.fill(empty, 1.0)
    on.mod.ewise_add(empty, empty, empty)
    on.mod.scalar_add(empty, 1.0, empty)
    on.mod.ewise_exp(empty, on.mod.Array(0))
    on.mod.compact(one, empty, (2, 0, 3), (9, 9, 9), 1)
    on.mod.ewise_setitem(empty, one, (0,), (0,), 0)
    on.mod.scalar_setitem(0, 1.0, one, (0, 5), (0, 0), 1)
    on.mod.reduce_max(empty, on.mod.Array(0), 4)
    on.mod.matmul(empty, on.mod.Array(6), on.mod.Array(0), 0, 2, 3)
    on.mod.from_numpy(np.zeros((3, 0)), empty)
    assert on.mod.to_numpy(empty, (0, 3), (3, 1), 0).shape == (0, 3)
    counts = on.mod.counters()
    assert [counts[name] for name in ("launches", "bytes_to_host", "bytes_from_host")] == [0, 0, 0]
    assert on.read(one) == 5.0


def test_counters_count_launches_and_bytes(on: Backend) -> None:
    a, out = on.array(np.arange(6.0)), on.mod.Array(6)
    on.mod.reset_counters()
    on.mod.ewise_add(a, a, out)
    on.mod.compact(a, out, (3, 2), (1, 3), 0)
    on.mod.from_numpy(np.zeros(6), out)
    on.mod.to_numpy(a, (2, 2), (3, 1), 1)
    counts = on.mod.counters()
    assert (counts["launches"], counts["bytes_from_host"]) == (2, 24)
    # A device sends its whole allocation; host memory is gathered where it is, or shared by the specification.
    assert counts["bytes_to_host"] == {"cpu_numpy": 0, "cpu": 16}.get(on.device.name, 24)


def test_live_allocations_return_to_where_they_were(on: Backend) -> None:
    gc.collect()
    before = on.mod.counters()
    handles = [on.mod.Array(size) for size in (0, 1, 1000)]
    during = on.mod.counters()
    assert during["live_allocations"] - before["live_allocations"] == 3
    assert during["live_bytes"] - before["live_bytes"] == 4004
    del handles
    gc.collect()
    after = on.mod.counters()
    assert (after["live_allocations"], after["live_bytes"]) == (before["live_allocations"], before["live_bytes"])
