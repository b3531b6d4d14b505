"""The table of the lesson, value by value: one buffer [0, 1, 2, 3, 4, 5] seen through several layouts."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from needle import backend_ndarray as nd
from needle.backend_ndarray import BackendDevice, Layout, NDArray, counters

ORIGINAL = Layout((2, 3), (3, 1), 0)
# name: (how it is made, the layout it must have, its values)
VIEWS = {
    "original": (lambda a: a, ORIGINAL, [[0, 1, 2], [3, 4, 5]]),
    "transpose": (lambda a: a.permute((1, 0)), Layout((3, 2), (1, 3), 0), [[0, 3], [1, 4], [2, 5]]),
    "last two columns": (lambda a: a[:, 1:], Layout((2, 2), (3, 1), 1), [[1, 2], [4, 5]]),
    "second row": (lambda a: a[1, :], Layout((1, 3), (3, 1), 3), [[3, 4, 5]]),
    "new axis of length four": (
        lambda a: a.reshape((2, 3, 1)).broadcast_to((2, 3, 4)),
        Layout((2, 3, 4), (3, 1, 0), 0),
        [[[0] * 4, [1] * 4, [2] * 4], [[3] * 4, [4] * 4, [5] * 4]],
    ),
}
rows = pytest.mark.parametrize("make, layout, values", VIEWS.values(), ids=VIEWS.keys())


@pytest.fixture
def original(device: BackendDevice) -> NDArray:
    return nd.array(np.arange(6, dtype=np.float32).reshape(2, 3), device=device)


@rows
def test_view_has_the_layout_and_values_of_the_table(original, make, layout, values) -> None:
    view = make(original)
    assert (view.shape, view.strides, view._offset) == (layout.shape, layout.strides, layout.offset)
    assert view._handle is original._handle
    np.testing.assert_array_equal(view.numpy(), values)


@rows
def test_make_accepts_every_row_of_the_table_over_one_handle(original, make, layout, values) -> None:
    view = NDArray.make(
        layout.shape, strides=layout.strides, device=original.device, handle=original._handle, offset=layout.offset
    )
    assert view._handle is original._handle
    np.testing.assert_array_equal(view.numpy(), values)


@pytest.mark.parametrize(
    "shape, strides, offset",
    [
        ((2, 3), (3, 1), 1),
        ((3, 3), (3, 1), 0),
        ((2, 2), (3, 1), 3),
        ((1,), (1,), 6),
        ((2,), (-1,), 0),
        ((1,), (1,), -1),
    ],
    ids=["offset too large", "a row too many", "last element", "behind the end", "backwards", "before the start"],
)
def test_make_refuses_a_layout_outside_its_buffer(original, shape, strides, offset) -> None:
    with pytest.raises(ValueError, match=r"make: .* reach elements -?\d+ to -?\d+, but handle has 6"):
        NDArray.make(shape, strides=strides, device=original.device, handle=original._handle, offset=offset)


@pytest.mark.parametrize(
    "layout, index, address",
    [
        (VIEWS["last two columns"][1], (1, 0), 4),
        (VIEWS["transpose"][1], (1, 0), 1),
        (VIEWS["second row"][1], (0, 2), 5),
        (VIEWS["new axis of length four"][1], (1, 2, 3), 5),
    ],
    ids=["last two columns", "transpose", "second row", "new axis"],
)
def test_address_of_an_index(layout: Layout, index: tuple[int, ...], address: int) -> None:
    assert layout.address(index) == address


def test_broadcast_address_is_3i_plus_j_for_every_k() -> None:
    layout = ORIGINAL.reshape((2, 3, 1)).broadcast_to((2, 3, 4))
    assert all(layout.address((i, j, k)) == 3 * i + j + 0 * k for i in range(2) for j in range(3) for k in range(4))
    assert layout.size == 24 and len(set(layout.addresses())) == 6


def test_compact_of_transposed_view_copies_in_row_major_order(original) -> None:
    transpose = original.permute((1, 0))
    compact = transpose.compact()
    assert compact.strides == (2, 1) and compact.shape == (3, 2) and compact._handle is not original._handle
    np.testing.assert_array_equal(compact.flat.numpy(), [0, 3, 1, 4, 2, 5])
    np.testing.assert_array_equal((transpose + 1).flat.numpy(), [1, 4, 2, 5, 3, 6])
    np.testing.assert_array_equal(original.flat.numpy(), [0, 1, 2, 3, 4, 5])


def test_second_row_is_contiguous_and_not_compact(original) -> None:
    row = original[1, :]
    assert row.layout.is_contiguous() and not row.is_compact()
    assert row.compact() is not row


def test_compact_of_a_compact_array_is_the_same_object(original) -> None:
    assert original.compact() is original


def test_write_through_a_broadcast_view_is_refused(original) -> None:
    repeated = original.reshape((2, 3, 1)).broadcast_to((2, 3, 4))
    for value in (7.0, nd.full((2, 3, 4), 7.0, device=original.device)):
        with pytest.raises(ValueError, match="may reach one element by two indices, so it cannot be written"):
            repeated[...] = value
    np.testing.assert_array_equal(original.flat.numpy(), [0, 1, 2, 3, 4, 5])


def test_view_outlives_its_base(device: BackendDevice) -> None:
    base = nd.array(np.arange(6).reshape(2, 3), device=device)
    view = base[1:, 1:]
    del base
    gc.collect()
    np.testing.assert_array_equal(view.numpy(), [[4, 5]])


def test_storage_is_freed_once_when_the_last_view_goes(device: BackendDevice) -> None:
    gc.collect()
    before = counters.snapshot(device)
    base = nd.array(np.arange(6).reshape(2, 3), device=device)
    views = [base.permute((1, 0)), base[1], base[:, 1:][0]]
    after = counters.snapshot(device)
    assert after["live_allocations"] - before["live_allocations"] == 1
    assert after["live_bytes"] - before["live_bytes"] == 6 * 4
    del base
    assert counters.snapshot(device)["live_allocations"] - before["live_allocations"] == 1
    views.clear()
    gc.collect()
    assert counters.snapshot(device)["live_allocations"] == before["live_allocations"]
    assert counters.snapshot(device)["live_bytes"] == before["live_bytes"]


def test_adding_one_launches_one_kernel_and_compacting_first_launches_another(original) -> None:
    with counters.measure(original.device) as cost:
        _ = original + 1
    assert (cost["launches"], cost["allocations"], cost["bytes_to_host"]) == (1, 1, 0)
    with counters.measure(original.device) as cost:
        _ = original.permute((1, 0)) + 1
    assert (cost["launches"], cost["allocations"], cost["bytes_to_host"]) == (2, 2, 0)


def test_views_cost_no_launch_no_allocation_and_no_byte(original) -> None:
    with counters.measure(original.device) as cost:
        for make, _, _ in VIEWS.values():
            make(original)
    assert not any(cost.values())


@pytest.mark.parametrize("name, sent", [("cpu_numpy", 0), ("cpu", 16), ("cuda", 24), ("cuda_sim", 24)])
def test_bytes_that_a_four_element_view_of_six_sends_to_the_host(usable_device, name: str, sent: int) -> None:
    device = usable_device(name)
    view = nd.array(np.arange(6).reshape(2, 3), device=device)[:, 1:]
    with counters.measure(device) as cost:
        view.numpy()
    assert cost["bytes_to_host"] == sent  # nothing is sent where memory is shared; a GPU sends the whole buffer
