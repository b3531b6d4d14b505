"""Every function of the contract, value by value against plain NumPy, on every device that this machine has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.needle.backends import DEVICES, OUT, Backend, backend, layout_of

NAN, INF = np.nan, np.inf
A = np.array([1.5, -2.0, 0.0, 3.0, -0.5, NAN, 2.0, INF, -INF, 7.0], dtype=np.float32)
B = np.array([-1.0, -2.0, 4.0, NAN, 0.25, 1.0, 0.0, INF, 3.0, -7.0], dtype=np.float32)
SIZES = (1, 2, 31, 255, 256, 257, 1000)  # within a block, exactly one, more than one


@pytest.fixture(params=DEVICES)
def on(request: pytest.FixtureRequest) -> Backend:
    return backend(request.param)


def numbers(size: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).uniform(-4, 4, size).astype(np.float32)


def assert_close(got: Any, want: Any, ulps: float = 8) -> None:
    """Equal up to a few units in the last place of float32; NaN only where NaN is due."""
    want = np.asarray(want, dtype=np.float64).reshape(-1)
    np.testing.assert_allclose(got, want, rtol=ulps * 2.0**-24, atol=2.0**-140)


BINARY: dict[str, Any] = {
    "add": np.add, "mul": np.multiply, "div": np.divide, "maximum": np.maximum,
    "eq": lambda a, b: (a == b).astype(a.dtype), "ge": lambda a, b: (a >= b).astype(a.dtype),
}  # fmt: skip


@pytest.mark.parametrize("name", BINARY)
def test_ewise_function_of_two_arrays_agrees_with_numpy_also_at_nan_and_infinity(on: Backend, name: str) -> None:
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(on.run(f"ewise_{name}", A, B, OUT, out=A.size), BINARY[name](A, B))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", BINARY)
def test_ewise_function_of_two_arrays_reaches_every_element(on: Backend, name: str, size: int) -> None:
    a, b = numbers(size, 1), numbers(size, 2)
    assert_close(on.run(f"ewise_{name}", a, b, OUT, out=size), BINARY[name](a.astype(np.float64), b), 1)


@pytest.mark.parametrize("value", [-2.0, 0.0, 0.75, NAN, INF])
@pytest.mark.parametrize("name", BINARY)
def test_scalar_function_agrees_with_numpy_also_at_nan_and_infinity(on: Backend, name: str, value: float) -> None:
    with np.errstate(all="ignore"):
        want = BINARY[name](A, np.full_like(A, value))
    np.testing.assert_array_equal(on.run(f"scalar_{name}", A, value, OUT, out=A.size), want)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", BINARY)
def test_scalar_function_reaches_every_element(on: Backend, name: str, size: int) -> None:
    a = numbers(size)
    assert_close(
        on.run(f"scalar_{name}", a, -1.25, OUT, out=size), BINARY[name](a.astype(np.float64), np.full(size, -1.25)), 1
    )


@pytest.mark.parametrize(
    "base, exponent, want", [(-2.0, 3, -8.0), (-2.0, 0.5, NAN), (0.0, -1, INF), (0.0, 0, 1.0), (NAN, 0, 1.0)]
)
def test_scalar_power_of_a_special_base(on: Backend, base: float, exponent: float, want: float) -> None:
    np.testing.assert_array_equal(on.run("scalar_power", np.array([base]), exponent, OUT, out=1), np.float32(want))


@pytest.mark.parametrize("exponent", [2, 0.5, -1.5])
@pytest.mark.parametrize("size", SIZES)
def test_scalar_power_reaches_every_element(on: Backend, size: int, exponent: float) -> None:
    a = np.abs(numbers(size)) + np.float32(0.1)
    assert_close(on.run("scalar_power", a, exponent, OUT, out=size), a.astype(np.float64) ** exponent, 32)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("function", [np.log, np.exp, np.tanh], ids=lambda function: function.__name__)
def test_ewise_function_of_one_array_reaches_every_element(on: Backend, function: Any, size: int) -> None:
    a = np.abs(numbers(size)) + np.float32(0.1) if function is np.log else numbers(size)
    assert_close(on.run(f"ewise_{function.__name__}", a, OUT, out=size), function(a.astype(np.float64)))


def test_ewise_log_exp_and_tanh_at_their_limits(on: Backend) -> None:
    a = np.array([0.0, -1.0, INF, -INF, NAN, 1000.0])
    np.testing.assert_array_equal(on.run("ewise_log", a[:5], OUT, out=5), [-INF, NAN, INF, NAN, NAN])
    np.testing.assert_array_equal(on.run("ewise_exp", a[2:], OUT, out=4), [INF, 0.0, NAN, INF])
    np.testing.assert_array_equal(on.run("ewise_tanh", a[2:], OUT, out=4), [1.0, -1.0, NAN, 1.0])


def test_ewise_out_may_be_one_of_the_inputs(on: Backend) -> None:
    a, b = on.array([1, 2, 3]), on.array([10, 20, 30])
    on.mod.ewise_add(a, b, a)
    on.mod.scalar_mul(b, 2.0, b)
    np.testing.assert_array_equal(on.read(a), [11, 22, 33])
    np.testing.assert_array_equal(on.read(b), [20, 40, 60])


@pytest.mark.parametrize("size", SIZES)
def test_fill_sets_the_whole_buffer(on: Backend, size: int) -> None:
    np.testing.assert_array_equal(on.run("fill", OUT, -1.5, out=size), np.full(size, -1.5))


# The lesson's buffer 0 1 2 3 4 5 through its layouts: shape, strides, offset, values in row-major order.
LESSON = {
    "itself": ((2, 3), (3, 1), 0, [0, 1, 2, 3, 4, 5]),
    "transpose": ((3, 2), (1, 3), 0, [0, 3, 1, 4, 2, 5]),
    "last two columns": ((2, 2), (3, 1), 1, [1, 2, 4, 5]),
    "second row": ((1, 3), (3, 1), 3, [3, 4, 5]),
    "broadcast along a new last axis": ((2, 3, 4), (3, 1, 0), 0, np.repeat(np.arange(6), 4)),
    "reversed": ((6,), (-1,), 5, [5, 4, 3, 2, 1, 0]),
    "every other, backwards": ((3,), (-2,), 4, [4, 2, 0]),
    "no axes": ((), (), 4, [4]),
    "eight axes": ((1, 2, 1, 1, 1, 1, 1, 3), (9, 3, 0, 5, -7, 0, 2**62, 1), 0, [0, 1, 2, 3, 4, 5]),
}


@pytest.mark.parametrize("shape, strides, offset, want", LESSON.values(), ids=LESSON)
def test_compact_copies_a_view_in_row_major_order(
    on: Backend, shape: Any, strides: Any, offset: int, want: Any
) -> None:
    got = on.run("compact", np.arange(6.0), OUT, shape, strides, offset, out=len(want))
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("shape, strides, offset, want", LESSON.values(), ids=LESSON)
def test_to_numpy_reads_a_view(on: Backend, shape: Any, strides: Any, offset: int, want: Any) -> None:
    got = on.mod.to_numpy(on.array(np.arange(6.0)), shape, strides, offset)
    assert got.shape == shape and got.dtype == np.float32
    np.testing.assert_array_equal(got.reshape(-1), want)


WRITABLE = {name: row for name, row in LESSON.items() if "broadcast" not in name}


@pytest.mark.parametrize("shape, strides, offset, places", WRITABLE.values(), ids=WRITABLE)
def test_setitem_writes_the_view_and_nothing_else(
    on: Backend, shape: Any, strides: Any, offset: int, places: Any
) -> None:
    values = np.arange(10.0, 10.0 + len(places))
    want = np.arange(6.0)
    want[places] = values  # element i of the buffer holds i, so the values of the view are its places
    out = on.array(np.arange(6.0))
    on.mod.ewise_setitem(on.array(values), out, shape, strides, offset)
    np.testing.assert_array_equal(on.read(out), want)
    want[places] = -7.0
    on.mod.scalar_setitem(len(places), -7.0, out, shape, strides, offset)
    np.testing.assert_array_equal(on.read(out), want)


@st.composite
def views(draw: Any, writable: bool) -> tuple[Any, Any]:
    """A buffer whose values are its positions, and any view of it: steps of both signs, permuted, maybe broadcast."""
    shape = draw(st.lists(st.integers(1, 5), max_size=5))
    base = np.arange(np.prod(shape, dtype=int), dtype=np.float32)
    view = base.reshape(shape)
    for axis, length in enumerate(shape):
        start, stop = sorted((draw(st.integers(0, length - 1)), draw(st.integers(1, length))))
        part = slice(start, max(stop, start + 1))
        view = view[(slice(None),) * axis + (part,)]
        view = view[(slice(None),) * axis + (slice(None, None, draw(st.sampled_from([1, 1, 2, -1, -2]))),)]
    view = view.transpose(draw(st.permutations(range(view.ndim))))
    if not writable and draw(st.booleans()):
        view = np.broadcast_to(view, (draw(st.integers(1, 3)), *view.shape))
    return base, view


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=views(writable=False))
def test_compact_and_to_numpy_agree_with_numpy_on_any_view(on: Backend, drawn: tuple[Any, Any]) -> None:
    base, view = drawn
    np.testing.assert_array_equal(on.run("compact", base, OUT, *layout_of(view, base), out=view.size), view.reshape(-1))
    np.testing.assert_array_equal(on.mod.to_numpy(on.array(base), *layout_of(view, base)), view)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=views(writable=True))
def test_setitem_agrees_with_numpy_on_any_view(on: Backend, drawn: tuple[Any, Any]) -> None:
    base, view = drawn
    layout = layout_of(view, base)
    out = on.array(base)
    values = np.arange(view.size, dtype=np.float32) + 1000
    on.mod.ewise_setitem(on.array(values), out, *layout)
    view[...] = values.reshape(view.shape)  # through NumPy, into `base`
    np.testing.assert_array_equal(on.read(out), base)
    on.mod.scalar_setitem(view.size, 0.5, out, *layout)
    view[...] = 0.5
    np.testing.assert_array_equal(on.read(out), base)


@pytest.mark.parametrize("rows", [1, 3, 257])
@pytest.mark.parametrize("length", [1, 2, 127, 128, 129, 256, 300, 1025])
def test_reductions_of_short_and_long_rows_agree_with_numpy(on: Backend, rows: int, length: int) -> None:
    a = numbers(rows * length) - np.float32(100)  # far below zero: a maximum that starts at a constant shows
    wide = a.astype(np.float64).reshape(rows, length)
    np.testing.assert_array_equal(on.run("reduce_max", a, OUT, length, out=rows), wide.max(axis=1).astype(np.float32))
    assert_close(on.run("reduce_sum", a, OUT, length, out=rows), wide.sum(axis=1), 1)


@pytest.mark.parametrize("length", [3, 300])
@pytest.mark.parametrize("place", [0, 1, -1], ids=["first", "second", "last"])
def test_reduce_max_is_nan_wherever_the_nan_stands(on: Backend, length: int, place: int) -> None:
    a = np.tile(np.arange(length, dtype=np.float32), (2, 1))
    a[1, place] = NAN
    np.testing.assert_array_equal(on.run("reduce_max", a, OUT, length, out=2), [length - 1, NAN])


@pytest.mark.parametrize("length", [2, 300])
def test_reduce_max_of_nothing_but_minus_infinity_is_minus_infinity(on: Backend, length: int) -> None:
    np.testing.assert_array_equal(on.run("reduce_max", np.full(length, -INF), OUT, length, out=1), [-INF])


@pytest.mark.parametrize("ones", [100, 300])
def test_reduce_sum_does_not_stop_at_2_to_the_24(on: Backend, ones: int) -> None:
    a = np.array([2.0**24] + [1.0] * ones)  # in float32, 2^24 + 1 is 2^24 again
    np.testing.assert_array_equal(on.run("reduce_sum", a, OUT, a.size, out=1), [2.0**24 + ones])


@pytest.mark.parametrize(
    "m, n, p", [(1, 1, 1), (2, 3, 4), (7, 1, 5), (16, 16, 16), (17, 33, 15), (1, 50, 1), (49, 15, 2)]
)
def test_matmul_of_any_shape_agrees_with_numpy(on: Backend, m: int, n: int, p: int) -> None:
    a, b = np.arange(m * n) % 7 - 3.0, np.arange(n * p) % 5 - 1.0  # small integers: every sum is exact
    want = (a.reshape(m, n) @ b.reshape(n, p)).reshape(-1)
    np.testing.assert_array_equal(on.run("matmul", a, b, OUT, m, n, p, out=m * p), want)


def test_matmul_over_an_empty_inner_axis_gives_zeros(on: Backend) -> None:
    np.testing.assert_array_equal(on.run("matmul", np.zeros(0), np.zeros(0), OUT, 2, 0, 3, out=6), np.zeros(6))


def test_reduce_sum_of_empty_rows_gives_zeros(on: Backend) -> None:
    np.testing.assert_array_equal(on.run("reduce_sum", np.zeros(0), OUT, 0, out=3), np.zeros(3))


def test_matmul_lets_no_infinity_leak_from_beyond_an_edge(on: Backend) -> None:
    a, b = np.full((3, 5), INF), np.ones((5, 3))
    np.testing.assert_array_equal(on.run("matmul", a, b, OUT, 3, 5, 3, out=9), np.full(9, INF))


def test_from_numpy_takes_any_memory_order_and_converts(on: Backend) -> None:
    a = np.arange(6).reshape(2, 3)  # integers
    for given_array in (a.T, np.asfortranarray(a).T, a.T.astype(np.float64), a.T.astype(np.float32)[:, :]):
        out = on.poisoned(6)
        on.mod.from_numpy(given_array, out)
        np.testing.assert_array_equal(on.read(out), [0, 3, 1, 4, 2, 5])
