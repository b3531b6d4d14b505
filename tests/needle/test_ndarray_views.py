"""Views of NDArray: one buffer, many layouts; and writes through them, judged on the whole base."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from needle import backend_ndarray as nd
from needle.backend_ndarray import BackendDevice, NDArray


def ar(device: BackendDevice, *shape: int) -> NDArray:
    return nd.array(np.arange(np.prod(shape, dtype=int), dtype="float32").reshape(shape), device=device)


def test_slice_of_a_slice(device) -> None:  # V-01
    b = ar(device, 8, 8)[2:8, 2:8][1:3, 1:3]
    assert (b.shape, b.strides, b._offset) == ((2, 2), (8, 1), 27)
    assert b.numpy().tolist() == [[27, 28], [35, 36]]


def test_permute_and_broadcast_of_a_slice_keep_its_offset(device) -> None:  # V-02
    view = ar(device, 8, 8)[2:5, 1:3]
    assert view.permute((1, 0)).numpy().tolist() == [[17, 25, 33], [18, 26, 34]]
    assert view[:, 1].broadcast_to((3, 2)).numpy().tolist() == [[18, 18], [26, 26], [34, 34]]


@pytest.mark.parametrize(
    "view",
    [lambda a: a.permute((1, 0)), lambda a: a[:, 1:], lambda a: a[1], lambda a: a[0].broadcast_to((2, 3))],
    ids=["transpose", "columns", "row", "broadcast"],
)
def test_reshape_of_an_array_that_is_not_compact_names_compact(device, view) -> None:  # V-04
    source = view(ar(device, 2, 3))
    with pytest.raises(ValueError, match=r"reshape: .* is not compact; reshape its \.compact\(\) instead"):
        source.reshape((source.size,))
    assert source.compact().reshape((-1,)).numpy().tolist() == source.numpy().reshape(-1).tolist()


def test_reshape_to_another_number_of_elements_is_refused(device) -> None:
    with pytest.raises(ValueError, match=r"reshape: \(2, 3\) has 6 elements but \(4, 2\) needs 8"):
        ar(device, 2, 3).reshape((4, 2))


def test_negative_int_and_negative_start_count_from_the_back(device) -> None:  # V-07, V-08
    last = ar(device, 4, 3)[-1, :]
    assert last.shape == (1, 3) and last.numpy().tolist() == [[9, 10, 11]]
    assert ar(device, 4, 3)[-3:-1, :].numpy().tolist() == [[3, 4, 5], [6, 7, 8]]


def test_stop_beyond_the_end_is_clamped(device) -> None:  # V-09
    assert ar(device, 4, 3)[2:100, :].numpy().tolist() == [[6, 7, 8], [9, 10, 11]]


@pytest.mark.parametrize("index", [7, (7, slice(None)), (-5, 0), (0, 3), (0, 0, 0)], ids=str)
def test_index_beyond_the_end_is_an_index_error_for_reads_and_writes(device, index) -> None:  # V-10
    a = ar(device, 4, 3)
    with pytest.raises(IndexError):
        a[index]
    with pytest.raises(IndexError):
        a[index] = 0.0
    assert a.sum().numpy() == 66


def test_negative_steps_walk_backwards_on_every_device(device) -> None:
    x = np.arange(12, dtype="float32").reshape(3, 4)
    assert ar(device, 3, 4)[::-1, 3:0:-2].numpy().tolist() == x[::-1, 3:0:-2].tolist()
    a = ar(device, 3, 4)
    a[::-1, ::-2] = nd.array(np.arange(6).reshape(3, 2), device=device)
    x[::-1, ::-2] = np.arange(6).reshape(3, 2)
    assert a.numpy().tolist() == x.tolist()


def test_write_through_a_view_of_a_view_reaches_only_its_own_elements(device) -> None:  # V-12
    a = nd.array(np.zeros((6, 6)), device=device)
    v = a[2:6, 2:6]
    v[0:2, 0:2] = 5.0
    want = np.zeros((6, 6))
    want[2:4, 2:4] = 5
    np.testing.assert_array_equal(a.numpy(), want)


def test_assignment_keeps_handle_layout_and_device(device) -> None:
    a = ar(device, 3, 4)
    handle, pointer = a._handle, a._handle.ptr()
    a[1:, ::2] = ar(device, 2, 2)
    assert a._handle is handle and a._handle.ptr() == pointer and a.strides == (4, 1)


@pytest.mark.parametrize("shape", [(3, 2), (6,), (2,), (1, 3), (2, 3, 2)], ids=str)
def test_assignment_of_another_shape_is_refused_also_with_as_many_elements(device, shape) -> None:  # V5
    a = ar(device, 4, 4)
    with pytest.raises(ValueError, match=r"setitem: an array of shape .* does not fit into shape \(2, 3\)"):
        a[0:2, 0:3] = nd.full(shape, -1, device=device)
    np.testing.assert_array_equal(a.numpy(), np.arange(16).reshape(4, 4))


def test_assignment_ignores_axes_of_length_one(device) -> None:
    a = ar(device, 2, 3)
    a[1] = nd.array([7, 8, 9], device=device)
    a[:, 0] = nd.array([[[1], [2]]], device=device)
    assert a.numpy().tolist() == [[1, 1, 2], [2, 8, 9]]


def test_assignment_takes_numpy_arrays_and_lists(device) -> None:
    a = ar(device, 2, 3)
    a[0] = [7, 8, 9]
    a[:, 2] = np.array([-1, -2])
    assert a.numpy().tolist() == [[7, 8, -1], [3, 4, -2]]


@pytest.mark.parametrize(
    "to, source",
    [(np.s_[1:], np.s_[:-1]), (np.s_[:-1], np.s_[1:]), (np.s_[:], np.s_[::-1])],
    ids=["up", "down", "reverse"],
)
def test_right_side_that_shares_the_buffer_is_read_before_it_is_written(device, to, source) -> None:
    a, x = ar(device, 600), np.arange(600, dtype="float32")
    a[to] = a[source]
    x[to] = x[source].copy()
    assert a.numpy().tolist() == x.tolist()


def test_transposing_an_array_into_itself_works(device) -> None:
    a = ar(device, 3, 3)
    a[...] = a.permute((1, 0))
    np.testing.assert_array_equal(a.numpy(), np.arange(9).reshape(3, 3).T)


def test_repeated_axis_is_refused(device) -> None:  # V-16
    with pytest.raises(ValueError, match="one axis twice"):
        ar(device, 2, 3).permute((0, 0))


def test_stride_of_the_last_axis_counts_and_of_a_size_one_axis_does_not(device) -> None:  # V-19
    assert ar(device, 1, 3).broadcast_to((1, 3)).strides[1] == 1


def test_broadcast_puts_new_axes_in_front(device) -> None:
    a = ar(device, 2, 1).broadcast_to([3, 2, 2])
    assert a.strides == (0, 1, 0)
    assert nd.broadcast_to(ar(device, 2), (2, 2)).numpy().tolist() == [[0, 1], [0, 1]]


def test_flat_is_a_view_that_writes_through(device) -> None:
    a = ar(device, 2, 3)
    a.flat[4] += 10
    assert a.numpy().tolist() == [[0, 1, 2], [3, 14, 5]]


def test_flip_is_a_copy_with_positive_strides(device) -> None:
    a = ar(device, 2, 3)
    b = a.flip((0, 1))
    assert b.is_compact() and b.numpy().tolist() == [[5, 4, 3], [2, 1, 0]]
    assert nd.flip(a[:, 1:], -1).numpy().tolist() == [[2, 1], [5, 4]]
    c = nd.array([[1.0]], device=device)
    c.flip(0)[...] = 2
    assert c.numpy() == 1


def test_pad_puts_zeros_around_a_view(device) -> None:
    a = ar(device, 2, 3).permute((1, 0))
    np.testing.assert_array_equal(a.pad(((1, 0), (2, 1))).numpy(), np.pad(a.numpy(), ((1, 0), (2, 1))))
    for bad in (((1, 0),), ((1, 0), (-1, 0)), ((1, 0), (1, 2, 3))):
        with pytest.raises(ValueError, match=r"pad: shape \(3, 2\) needs 2 pairs"):
            a.pad(bad)


def test_as_strided_keeps_the_offset_and_stays_inside(device) -> None:
    a = ar(device, 6)[1:]
    assert a.as_strided((2, 2), (2, 1)).numpy().tolist() == [[1, 2], [3, 4]]
    with pytest.raises(ValueError, match="reach elements 1 to 6, but handle has 6"):
        a.as_strided((2, 3), (3, 1))


def test_make_refuses_the_handle_of_another_device(device) -> None:
    class Array:
        size, device = 6, "elsewhere"

    with pytest.raises(TypeError, match=r"make: handle must be an Array of .*, not an Array of elsewhere"):
        NDArray.make((2, 3), device=device, handle=Array())


def test_process_slice_gives_explicit_ends_and_serves_a_subclass(device) -> None:
    class Recorder(NDArray):
        def __getitem__(self, idxs):
            return [self.process_slice(s, i) for i, s in enumerate(idxs)]

    a = Recorder(ar(device, 4, 5))
    assert a.shape == (4, 5) and isinstance(a, Recorder)
    assert a[:, -2:] == [slice(0, 4, 1), slice(3, 5, 1)]
    assert a[1:100:2, ::-1] == [slice(1, 4, 2), slice(4, None, -1)]


def test_more_axes_than_the_device_takes_are_refused_by_name(device) -> None:
    limit = device.__max_rank__
    a = ar(device, *(1,) * (limit - 1), 2)
    assert a[..., ::-1].compact().flat.numpy().tolist() == [1, 0]
    with pytest.raises(ValueError, match=rf"{limit + 1} axes, but .* takes at most {limit}"):
        a.broadcast_to((2, *a.shape)).compact()


@st.composite
def indices(draw: st.DrawFn, shape: tuple[int, ...]) -> tuple[slice, ...]:
    end = st.one_of(st.none(), st.integers(-6, 6))
    return tuple(slice(draw(end), draw(end), draw(st.sampled_from([None, 1, 2, -1, -2]))) for _ in shape)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(st.data())
def test_writes_through_random_views_change_the_base_exactly_as_in_numpy(device, data) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=3)))
    a, x = ar(device, *shape), np.arange(np.prod(shape), dtype="float32").reshape(shape)
    axes = data.draw(st.permutations(range(len(shape))))
    first, second = data.draw(indices(shape)), data.draw(indices(shape))
    view, seen = a.permute(axes)[first], x.transpose(axes)[first]
    if data.draw(st.booleans()):
        view[second], seen[second] = -1.0, -1.0
    else:
        values = -1 - np.arange(seen[second].size, dtype="float32").reshape(seen[second].shape)
        view[second], seen[second] = nd.array(values, device=device), values
    assert a.numpy().tolist() == x.tolist()
    assert view.numpy().tolist() == seen.tolist()
