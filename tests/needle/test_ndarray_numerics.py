"""What NDArray computes, where it is easily wrong: reductions, NaN, long sums, empty axes, powers, products."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from needle import backend_ndarray as nd
from needle.backend_ndarray import BackendDevice, counters

nan, inf = np.nan, np.inf


def test_maximum_over_an_axis_with_nan_in_both_orders_is_nan(device) -> None:  # N-01
    rows = [[1, 2, nan], [nan, 1, 2], [1, nan, 2], [1, 2, 3]]
    np.testing.assert_array_equal(nd.array(rows, device=device).max(axis=1).numpy(), np.float32([nan, nan, nan, 3]))


def test_elementwise_maximum_with_nan_on_either_side_is_nan(device) -> None:
    a, b = nd.array([nan, 1, nan, 1], device=device), nd.array([1, nan, nan, 2], device=device)
    np.testing.assert_array_equal(a.maximum(b).numpy(), np.float32([nan, nan, nan, 2]))
    np.testing.assert_array_equal(a.maximum(0).numpy(), np.float32([nan, 1, nan, 1]))
    np.testing.assert_array_equal(b.maximum(nan).numpy(), np.float32([nan] * 4))


def test_every_comparison_with_nan_is_false_and_unequal_is_true(device) -> None:
    a = nd.array([nan, nan, 0.0], device=device)
    b = nd.array([nan, 0.0, nan], device=device)
    for other in (b, nan):
        for result in (a == other, a >= other, a > other, a <= other, a < other):
            assert result.numpy().tolist() == [0, 0, 0]
        assert (a != other).numpy().tolist() == [1, 1, 1]
    assert (a < 0).numpy().tolist() == [0, 0, 0]


def test_sum_of_2_to_the_25_ones_is_exact(usable_device) -> None:  # N-04
    for name in ("cpu_numpy", "cpu"):  # the simulator would take minutes; its sums are tested at smaller sizes
        ones = nd.array(np.ones((1, 1 << 25), "float32"), device=usable_device(name))
        assert ones.sum(axis=1).numpy()[0] == 33554432


def test_sum_of_a_million_tenths_is_right_within_a_tenth(device) -> None:  # N-04
    count = 20_000 if device.name == "cuda_sim" else 1_000_000
    tenths = nd.array(np.full((1, count), 0.1, "float32"), device=device)
    want = count * float(np.float32(0.1))
    assert abs(float(tenths.sum(axis=1).numpy()[0]) - want) <= want * 2**-24


def test_sum_over_an_empty_axis_is_zero_and_its_maximum_an_error(device) -> None:  # N-05
    z = nd.array(np.zeros((3, 0), "float32"), device=device)
    assert z.sum(axis=1).numpy().tolist() == [0, 0, 0]
    for axis in (1, None, (0, 1)):
        with pytest.raises(ValueError, match="the maximum of no elements does not exist"):
            z.max(axis=axis)
    assert z.max(axis=0).shape == (0,)


def test_powers_at_the_special_places(device) -> None:  # N-06
    for base, exponent, want in (
        (-2.0, 3, -8),
        (-2.0, 0.5, nan),
        (0.0, -1, inf),
        (0.0, 0, 1),
        (nan, 0, 1),
        (2, -2, 0.25),
    ):
        np.testing.assert_array_equal((nd.array([base], device=device) ** exponent).numpy(), np.float32([want]))


def test_division_by_zero_and_logarithm_of_zero_give_what_ieee_says(device) -> None:
    a = nd.array([1.0, -1.0, 0.0], device=device)
    np.testing.assert_array_equal((a / 0).numpy(), np.float32([inf, -inf, nan]))
    np.testing.assert_array_equal((1 / (a * 0)).numpy(), np.float32([inf, -inf, inf]))
    np.testing.assert_array_equal(a.log().numpy(), np.float32([0, nan, -inf]))
    assert a.exp().numpy()[2] == 1 and (a * 1000).exp().numpy().tolist() == [inf, 0, 1]


def test_rectangular_tiled_product(device) -> None:  # N-09
    a = nd.array(np.ones((8, 16)), device=device)
    b = nd.array(np.tile(np.arange(24.0), (16, 1)), device=device)
    np.testing.assert_array_equal((a @ b).numpy(), np.tile(16 * np.arange(24.0), (8, 1)))


@pytest.mark.parametrize(
    "m, n, p", [(1, 1, 1), (3, 5, 4), (8, 8, 8), (16, 8, 24), (9, 8, 8), (8, 9, 8), (8, 8, 9)], ids=str
)
def test_product_of_views_agrees_with_numpy(device, m: int, n: int, p: int) -> None:
    x = np.arange(n * m, dtype="float32").reshape(n, m) % 7 - 3
    y = np.arange(2 * n * p, dtype="float32").reshape(n, 2 * p) % 5 - 2
    a, b = nd.array(x, device=device).permute((1, 0)), nd.array(y, device=device)[:, 1::2]
    np.testing.assert_array_equal((a @ b).numpy(), x.T @ y[:, 1::2])


def test_product_over_an_empty_axis_is_zero(device) -> None:
    a, b = nd.empty((2, 0), device=device), nd.empty((0, 3), device=device)
    assert (a @ b).numpy().tolist() == [[0] * 3] * 2
    assert (nd.empty((0, 8), device=device) @ nd.empty((8, 8), device=device)).shape == (0, 8)


def test_tiled_product_is_used_when_it_is_there_and_all_sizes_are_multiples(device) -> None:
    """Seen from outside: the tiled way copies both operands and the result, so it makes three launches more."""
    a = nd.full((8, 16), 1.0, device=device)
    with counters.measure(device) as even:
        a @ nd.full((16, 24), 1.0, device=device)
    with counters.measure(device) as odd:
        a @ nd.full((16, 23), 1.0, device=device)
    assert even["launches"] - odd["launches"] == (3 if hasattr(device, "matmul_tiled") else 0)


@pytest.mark.parametrize("shapes", [((2, 3), (2, 3)), ((2,), (2, 2)), ((2, 2), (2,)), ((1, 2, 2), (2, 2))], ids=str)
def test_product_of_shapes_that_do_not_fit_is_refused(device, shapes) -> None:
    a, b = (nd.empty(shape, device=device) for shape in shapes)
    with pytest.raises(ValueError, match=r"matmul: shapes must be \(m, n\) and \(n, p\), but they are"):
        a @ b


# Reductions


def test_reduction_without_axis_has_shape_one_whatever_keepdims_says(device) -> None:
    a = nd.array(np.arange(24).reshape(2, 3, 4), device=device)
    for keepdims in (False, True):
        assert a.sum(keepdims=keepdims).numpy().tolist() == [276]
        assert a.max(keepdims=keepdims).numpy().tolist() == [23]


def test_reduction_of_one_axis_of_one_has_no_axis_left(device) -> None:
    a = nd.array([1, 2, 3], device=device)
    assert a.sum(axis=0).shape == () and a.sum(axis=0).numpy() == 6
    assert nd.sum(a, axis=-1, keepdims=True).shape == (1,)


@pytest.mark.parametrize(
    "axis, message", [((), "names no axis"), ([], "names no axis"), (2, "axis 2 does not exist"), (-3, "axis -3"),
                      ((0, 0), "one axis twice"), ((1, -1), "one axis twice")], ids=str
)  # fmt: skip
def test_reduction_over_a_wrong_axis_is_refused(device, axis, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        nd.empty((2, 3), device=device).sum(axis=axis)


def test_maximum_starts_at_no_number(device) -> None:
    a = nd.array([[-1e30, -2e30], [-inf, -inf], [-3, -4]], device=device)
    np.testing.assert_array_equal(a.max(axis=1).numpy(), np.float32([-1e30, -inf, -3]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(st.data())
def test_reductions_of_random_views_over_random_axes_agree_with_numpy(
    device: BackendDevice, data: st.DataObject
) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=4)))
    values = (np.arange(np.prod(shape), dtype="float32") * 7 % 23 - 11).reshape(shape)  # sums of integers are exact
    order = data.draw(st.permutations(range(len(shape))))
    step = data.draw(st.sampled_from([1, 2, -1]))
    x, a = values.transpose(order)[::step], nd.array(values, device=device).permute(order)[::step]
    axes = data.draw(st.lists(st.integers(0, x.ndim - 1), min_size=1, unique=True))
    axes = tuple(data.draw(st.sampled_from([axis, axis - x.ndim])) for axis in axes)
    axis = axes[0] if len(axes) == 1 and data.draw(st.booleans()) else axes
    keepdims = data.draw(st.booleans())
    for name in ("sum", "max"):
        got, want = getattr(a, name)(axis=axis, keepdims=keepdims), getattr(x, name)(axis=axis, keepdims=keepdims)
        assert got.shape == want.shape
        np.testing.assert_array_equal(got.numpy(), want)
