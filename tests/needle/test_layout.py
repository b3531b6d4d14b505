"""Layout: the algebra of views, against NumPy. Addresses are compared, never strides of axes of length one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from needle.backend_ndarray.layout import Layout, compact_strides, normalize_axes, normalize_axis, normalize_indices
from needle.unfinished import unfinished

SHAPES = st.lists(st.integers(0, 5), max_size=4).map(tuple)


@st.composite
def slices(draw: st.DrawFn, length: int) -> slice:
    end = st.one_of(st.none(), st.integers(-length - 2, length + 2))
    return slice(draw(end), draw(end), draw(st.sampled_from([None, 1, 2, 3, -1, -2])))


@st.composite
def steps(draw: st.DrawFn, layout: Layout) -> tuple[str, object]:
    """One view operation that is legal on `layout`."""
    names = ["permute", "getitem", "flip", "broadcast_to"] + (["reshape"] if layout.is_contiguous() else [])
    name = draw(st.sampled_from(names))
    if name == "permute":
        return name, draw(st.permutations(range(layout.ndim)))
    if name == "getitem":
        count = draw(st.integers(0, layout.ndim))
        index = [draw(st.one_of(slices(n), st.integers(-n, n - 1))) if n else slice(None) for n in layout.shape[:count]]
        return name, tuple(index)
    if name == "flip":
        return name, tuple(axis for axis in range(layout.ndim) if draw(st.booleans()))
    if name == "broadcast_to":
        stretched = [draw(st.integers(0, 3)) if n == 1 else n for n in layout.shape]
        return name, tuple(draw(st.lists(st.integers(0, 3), max_size=2)) + stretched)
    divisors = [n for n in range(1, layout.size + 1) if layout.size % n == 0]
    first = draw(st.sampled_from(divisors or [0]))
    return name, (first, -1) if first else (0, 3)


def numpy_step(array: np.ndarray, name: str, argument) -> np.ndarray:
    """The same operation in NumPy, with ints kept as slices of length one."""
    if name == "permute":
        return array.transpose(argument)
    if name == "getitem":
        kept = tuple(
            slice(i % n, i % n + 1) if isinstance(i, int) else i for i, n in zip(argument, array.shape, strict=False)
        )
        return array[kept]
    if name == "flip":
        return np.flip(array, argument)
    return np.broadcast_to(array, argument) if name == "broadcast_to" else array.reshape(argument)


@given(SHAPES, st.integers(0, 7), st.data())
def test_chains_of_view_operations_reach_the_addresses_that_numpy_reaches(shape, offset, data) -> None:
    layout = Layout.compact(shape, offset)
    array = (np.arange(layout.size) + offset).reshape(shape)
    for _ in range(data.draw(st.integers(1, 4))):
        name, argument = data.draw(steps(layout))
        if layout.ndim == 0 and name == "flip":
            continue
        layout, array = getattr(layout, name)(argument), numpy_step(array, name, argument)
        assert layout.shape == array.shape, (name, argument)
        if layout.size > 2000:
            break
    assert list(layout.addresses()) == array.reshape(-1).tolist()
    assert layout.fits(math.prod(shape) + offset)


@given(SHAPES, st.data())
def test_span_and_one_to_one_agree_with_the_addresses(shape, data) -> None:
    strides = data.draw(st.lists(st.integers(-6, 12), min_size=len(shape), max_size=len(shape)))
    layout = Layout(shape, tuple(strides), 50)
    reached = list(layout.addresses())
    assert layout.span() == ((min(reached), max(reached)) if reached else (50, 50))
    if layout.is_one_to_one():  # sufficient, so one direction only
        assert len(set(reached)) == len(reached)
    if layout.is_contiguous():
        assert reached == list(range(50, 50 + layout.size))


def test_one_to_one_accepts_every_permuted_or_sliced_compact_layout() -> None:
    base = Layout.compact((4, 5, 6))
    for layout in (base, base.permute((2, 0, 1)), base.getitem((slice(None, None, -2), 3)), base.flip((0, 2))):
        assert layout.is_one_to_one()
    assert not Layout((2, 3), (1, 1)).is_one_to_one()
    assert not Layout((4,), (0,)).is_one_to_one()
    assert Layout((0, 4), (0, 0)).is_one_to_one()


def test_compact_strides_count_axes_of_length_one_too() -> None:
    assert compact_strides((1, 3, 2, 1, 2)) == (12, 4, 2, 2, 1)
    assert compact_strides(()) == ()


# reshape


@pytest.mark.parametrize(
    "shape, new, result",
    [((2, 3), (3, 2), (3, 2)), ((2, 3), (-1,), (6,)), ((2, 3), (2, -1), (2, 3)), ((4, 6), (2, -1, 3), (2, 4, 3)),
     ((), (1, 1), (1, 1)), ((0, 3), (-1, 3), (0, 3)), ((0, 3), (0,), (0,)), ((2, 3), 6, (6,))],
    ids=str,
)  # fmt: skip
def test_reshape_keeps_order_and_offset(shape, new, result) -> None:
    assert Layout.compact(shape, 5).reshape(new) == Layout.compact(result, 5)


@pytest.mark.parametrize(
    "shape, new, message",
    [((2, 3), (4, 2), r"\(2, 3\) has 6 elements but \(4, 2\) needs 8"), ((2, 3), (5,), "needs 5"),
     ((2, 3), (4, -1), r"no length fits \(4, -1\)"), ((2, 3), (-1, -1), "no length fits"),
     ((2, 3), (-2, -3), "no length fits"), ((0, 3), (0, -1), "no length fits")],
    ids=str,
)  # fmt: skip
def test_reshape_refuses_another_number_of_elements(shape, new, message) -> None:
    with pytest.raises(ValueError, match="reshape: .*" + message):
        Layout.compact(shape).reshape(new)


@pytest.mark.parametrize(
    "layout", [Layout((3, 2), (1, 3)), Layout((2, 2), (3, 1), 1), Layout((3,), (0,)), Layout((3,), (-1,), 2)], ids=str
)
def test_reshape_of_a_layout_that_is_not_contiguous_names_compact(layout) -> None:
    with pytest.raises(ValueError, match=r"\.compact\(\)"):
        layout.reshape((layout.size,))


# permute


def test_permute_of_a_slice_keeps_its_offset() -> None:
    view = Layout.compact((8, 8)).getitem((slice(2, 5), slice(1, 3))).permute((1, 0))
    assert view == Layout((2, 3), (1, 8), 17)


def test_permute_counts_negative_axes_from_the_back() -> None:
    base = Layout.compact((2, 3, 4))
    assert base.permute((-1, 0, -2)) == base.permute((2, 0, 1)) == Layout((4, 2, 3), (1, 12, 4))


@pytest.mark.parametrize("axes", [(0, 0), (0,), (0, 1, 2), (0, 2), (-3, 0), (), (0, -2)], ids=str)
def test_permute_refuses_axes_that_are_repeated_missing_or_unknown(axes) -> None:
    with pytest.raises(ValueError, match="ax[ie]s"):
        Layout.compact((2, 3)).permute(axes)


# broadcast_to


def test_broadcast_gives_new_and_stretched_axes_stride_zero_and_keeps_the_offset() -> None:
    assert Layout((3, 1), (4, 1), 2).broadcast_to([2, 3, 5]) == Layout((2, 3, 5), (0, 4, 0), 2)
    assert Layout((), (), 2).broadcast_to((2,)) == Layout((2,), (0,), 2)
    assert Layout((1,), (1,)).broadcast_to((0,)).shape == (0,)


@pytest.mark.parametrize(
    "shape, new", [((2, 3), (3, 3)), ((2, 3), (3,)), ((2, 3), (2, 3, 1)), ((3,), (0,)), ((2, 3), (2, -3))], ids=str
)
def test_broadcast_refuses_shapes_that_do_not_fit(shape, new) -> None:
    with pytest.raises(ValueError, match=r"broadcast_to: \(.*\) cannot be broadcast to \("):
        Layout.compact(shape).broadcast_to(new)


# getitem


def test_slice_of_a_slice_adds_offsets() -> None:
    view = Layout.compact((8, 8)).getitem((slice(2, 8), slice(2, 8))).getitem((slice(1, 3), slice(1, 3)))
    assert view == Layout((2, 2), (8, 1), 27)


def test_step_that_does_not_divide_the_length_rounds_up() -> None:
    assert Layout.compact((10,)).getitem(slice(1, 9, 3)) == Layout((3,), (3,), 1)


def test_size_one_result_of_a_slice_keeps_the_stride_of_its_axis() -> None:
    assert Layout.compact((5, 5)).getitem((slice(3, 4), slice(3, 4))) == Layout((1, 1), (5, 1), 18)


@pytest.mark.parametrize(
    "index, shape",
    [((), (4, 3, 2)), (1, (1, 3, 2)), ((..., 1), (4, 3, 1)), ((1, ..., 0), (1, 3, 1)), (Ellipsis, (4, 3, 2)),
     ((0, 1, 1), (1, 1, 1)), ((0, ..., 1, 1), (1, 1, 1)), (slice(9, 2), (0, 3, 2)), (np.int64(-1), (1, 3, 2))],
    ids=str,
)  # fmt: skip
def test_fewer_indices_and_ellipsis_take_the_other_axes_whole(index, shape) -> None:
    assert Layout.compact((4, 3, 2)).getitem(index).shape == shape


@pytest.mark.parametrize(
    "index, message",
    [(4, "index 4 is outside axis 0, which has length 4"), ((0, -4), "index -4 is outside axis 1"),
     ((0, 0, 0), "3 indices, but shape"), ((..., ...), "one Ellipsis"), ("x", "not str"), (None, "not NoneType"),
     (True, "not bool"), (1.0, "not float"), ([0, 1], "not list")],
    ids=str,
)  # fmt: skip
def test_bad_index_is_an_index_error_with_words(index, message) -> None:
    with pytest.raises(IndexError, match=message):
        Layout.compact((4, 3)).getitem(index)


def test_empty_slices_at_the_end_of_every_axis_stay_inside_the_buffer() -> None:
    assert Layout.compact((3, 4)).getitem((slice(3, 3), slice(4, 4))).fits(12)


def test_index_of_an_empty_axis_is_refused() -> None:
    with pytest.raises(IndexError, match="length 0"):
        Layout.compact((0, 3)).getitem(0)


# the rest


def test_normalize_axis_names_axis_and_count() -> None:
    assert normalize_axis(-1, 3) == 2 and normalize_axes([0, -1], 3) == (0, 2)
    with pytest.raises(ValueError, match="axis 3 does not exist in an array of 3 axes"):
        normalize_axis(3, 3)
    with pytest.raises(ValueError, match="one axis twice"):
        normalize_axes((1, -2), 3)


def test_normalized_indices_are_triples_of_start_step_and_length() -> None:
    assert normalize_indices((-1, slice(None, None, -2)), (4, 5)) == [(3, 1, 1), (4, -2, 3)]


def test_address_refuses_an_index_outside_or_of_another_rank() -> None:
    layout = Layout.compact((2, 3), 1)
    assert layout.address((-1, -1)) == 6
    for index in ((2, 0), (0, -4), (0,), (0, 0, 0)):
        with pytest.raises(IndexError):
            layout.address(index)


def test_flip_starts_at_the_last_element_and_walks_back() -> None:
    assert Layout.compact((2, 3)).flip((0, -1)) == Layout((2, 3), (-3, -1), 5)
    assert Layout.compact((2, 0)).flip((0, 1)).fits(0)


def test_layout_is_a_value_made_of_plain_ints() -> None:
    layout = Layout([np.int64(2), 3], np.array([3, 1]), np.int32(0))
    assert layout == Layout((2, 3), (3, 1)) and hash(layout) == hash(Layout((2, 3), (3, 1)))
    assert all(type(n) is int for n in (*layout.shape, *layout.strides, layout.offset))


@pytest.mark.parametrize("shape, strides", [((2, 3), (1,)), ((-1,), (1,))], ids=str)
def test_layout_refuses_what_makes_no_sense_by_itself(shape, strides) -> None:
    with pytest.raises(ValueError, match="layout: shape"):
        Layout(shape, strides)


def test_unfinished_names_exercise_place_and_next_command() -> None:
    error = unfinished("permute.views")
    assert isinstance(error, NotImplementedError)
    assert str(error).startswith("permute.views is unfinished: ")
    assert str(error).endswith("; write it there, then: make check EX=permute.views")
