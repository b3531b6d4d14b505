"""NDArray: making arrays, the float32 policy, operators and comparisons, copies."""

from __future__ import annotations

import copy
import operator
import pickle

import numpy as np
import pytest

from needle import backend_ndarray as nd
from needle.backend_ndarray import BackendDevice, NDArray

nan, inf = np.nan, np.inf


def ar(device: BackendDevice, *shape: int) -> NDArray:
    return nd.array(np.arange(np.prod(shape, dtype=int), dtype="float32").reshape(shape), device=device)


# Making


@pytest.mark.parametrize(
    "values",
    [3.5, [1, 2], [[1.5, 2], [3, 4]], [], [[], []], np.arange(6).reshape(2, 3).T, np.float16(2), True],
    ids=str,
)
def test_array_holds_the_values_of_what_it_is_made_of(device, values) -> None:
    got = nd.array(values, device=device)
    want = np.asarray(values, dtype=np.float32)
    assert got.shape == want.shape and got.dtype == "float32" and got.is_compact()
    np.testing.assert_array_equal(got.numpy(), want)


def test_array_of_an_array_is_an_independent_copy_and_keeps_its_device(device) -> None:
    a = ar(device, 2, 3)
    b = NDArray(a.permute((1, 0)))
    b[...] = 0.0
    assert b.device == device and b.is_compact() and a.sum().numpy() == 15


def test_arrays_without_a_device_live_on_the_default_device() -> None:
    for a in (nd.array([1]), nd.empty((1,)), nd.full((1,), 2), NDArray.make((2,))):
        assert a.device == nd.default_device() == nd.cpu_numpy()


def test_full_and_empty_have_shape_and_device(device) -> None:
    assert nd.empty([2, 3], device=device).shape == (2, 3)
    np.testing.assert_array_equal(nd.full((2, 2), -1.5, device=device).numpy(), [[-1.5] * 2] * 2)
    assert nd.full((), 4, device=device).numpy() == 4


def test_zero_size_and_zero_dimensional_arrays_work(device) -> None:
    empty = nd.full((0, 3), 1.0, device=device)
    assert (empty + 1).shape == (0, 3) and empty.sum(axis=0).numpy().tolist() == [0, 0, 0]
    assert empty.permute((1, 0)).compact().shape == (3, 0) and empty.numpy().shape == (0, 3)
    assert empty.sum().numpy().tolist() == [0] and (empty @ nd.full((3, 2), 1, device=device)).shape == (0, 2)
    empty[...] = 3.0
    empty[:, 1:2] = nd.empty((0, 1), device=device)
    point = nd.array(3.0, device=device)
    assert (point * point).numpy() == 9 and point.sum().shape == (1,) and point[...].shape == ()
    point[()] = 5
    assert (
        point.numpy() == 5 and point.broadcast_to((2, 2)).sum().numpy() == 20 and point.reshape((1, 1)).shape == (1, 1)
    )


# The float32 policy


@pytest.mark.parametrize("value", [16777217, -16777217, 2**63 - 1, 123456789], ids=str)
def test_an_integer_that_float32_would_change_is_refused(value) -> None:
    with pytest.raises(ValueError, match=f"{value} is an integer that float32 cannot hold exactly"):
        nd.array([0, value])


@pytest.mark.parametrize("value", [16777216, 16777218, -(2**63), 2**62, 3 * 2**40, 0, -1], ids=str)
def test_an_integer_that_float32_holds_exactly_is_taken(value) -> None:
    assert int(nd.array([value]).numpy()[0]) == value


def test_unsigned_integers_are_judged_by_their_value() -> None:
    assert float(nd.array(np.array([2**63], dtype=np.uint64)).numpy()[0]) == 2.0**63
    with pytest.raises(ValueError, match="18446744073709551615"):
        nd.array(np.array([2**64 - 1], dtype=np.uint64))


def test_a_finite_number_that_becomes_infinite_is_refused_and_infinity_is_not(device) -> None:
    with pytest.raises(ValueError, match="1e\\+300 is too large for float32"):
        nd.array([1.0, 1e300], device=device)
    np.testing.assert_array_equal(nd.array([inf, -inf, nan], device=device).numpy(), np.float32([inf, -inf, nan]))


def test_other_floats_are_rounded_to_float32() -> None:
    assert nd.array(0.1).numpy() == np.float32(0.1)


OBJECTS = pytest.param([object()], id="object")


@pytest.mark.parametrize("values", [1j, [1 + 2j], "text", [None], OBJECTS, [2**70], np.datetime64("2020")], ids=str)
def test_values_that_are_no_real_numbers_are_refused(values) -> None:
    with pytest.raises(TypeError, match="array: .* values cannot become float32"):
        nd.array(values)


@pytest.mark.parametrize(
    "make",
    [
        lambda **options: nd.array([1], **options),
        lambda **options: nd.empty((1,), **options),
        lambda **options: nd.full((1,), 0, **options),
        lambda **options: nd.cpu_numpy().rand(2, **options),
    ],
    ids=["array", "empty", "full", "rand"],
)
def test_dtype_is_float32_or_left_out(make) -> None:
    assert make(dtype=None).dtype == make(dtype="float32").dtype == make(dtype=np.float32).dtype == "float32"
    with pytest.raises(TypeError, match="arrays are float32, not float64"):
        make(dtype="float64")


@pytest.mark.parametrize(
    "use",
    [
        lambda a, s: a + s,
        lambda a, s: s - a,
        lambda a, s: s / a,
        lambda a, s: a < s,
        lambda a, s: a.fill(s),
        lambda a, s: operator.setitem(a, 0, s),
    ],
    ids=["a + s", "s - a", "s / a", "a < s", "fill", "setitem"],
)
@pytest.mark.parametrize("number", [1e39, -1e300, 10**400, np.float64(1e39)], ids=str)
def test_a_number_beyond_float32_is_refused_everywhere(device, use, number) -> None:
    with pytest.raises(ValueError, match="is too large for float32"):
        use(ar(device, 2), number)


# Operators


@pytest.mark.parametrize("op", [operator.add, operator.sub, operator.mul, operator.truediv, operator.eq, operator.ne,
                                operator.ge, operator.gt, operator.le, operator.lt])  # fmt: skip
def test_operators_agree_with_numpy_on_views_numbers_and_both_sides(device, op) -> None:
    values = np.float32([[1, -2, 3], [nan, 0.5, 2], [inf, -inf, 2]])
    a, x = nd.array(values, device=device), values
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(op(a, a.permute((1, 0))).numpy(), op(x, x.T).astype("float32"))
        for number in (
            2,
            -1.5,
            True,
            np.float32(0.5),
            np.int64(3),
            np.uint8(2),
            np.int8(-128),
            np.array(2.0),
            inf,
            nan,
        ):
            scalar = np.float32(number)
            for got, want in ((op(a, number), op(x, scalar)), (op(number, a), op(scalar, x))):
                np.testing.assert_array_equal(got.numpy(), want.astype("float32"), err_msg=f"with {number!r}")


def test_negation_power_maximum_and_functions_agree_with_numpy(device) -> None:
    x = np.float32([[0.25, 1, 2], [3, 4, 5]])
    a = nd.array(x.T, device=device).permute((1, 0))
    np.testing.assert_array_equal((-a).numpy(), -x)
    np.testing.assert_allclose((a**0.5).numpy(), x**0.5, rtol=1e-6)
    np.testing.assert_array_equal(a.maximum(2).numpy(), np.maximum(x, 2))
    np.testing.assert_array_equal(nd.maximum(a, 3 - a).numpy(), np.maximum(x, 3 - x))
    for name in ("log", "exp", "tanh"):
        np.testing.assert_allclose(getattr(nd, name)(a).numpy(), getattr(np, name)(x), rtol=1e-6)


@pytest.mark.parametrize("op", [operator.add, operator.mul, operator.sub, operator.eq, operator.lt, nd.maximum])
def test_arrays_of_different_shapes_are_refused_with_both_shapes(device, op) -> None:
    with pytest.raises(ValueError, match=r"shapes must be equal, but they are \(2, 3\) and \(3,\); use broadcast_to"):
        op(ar(device, 2, 3), ar(device, 3))


def test_arrays_of_different_devices_are_refused_by_every_operation(device) -> None:
    other = BackendDevice("other", nd.cpu_numpy().mod)
    a, b = ar(device, 2, 2), ar(other, 2, 2)
    for use in (operator.add, operator.ge, operator.matmul, nd.maximum, lambda a, b: operator.setitem(a, ..., b)):
        with pytest.raises(ValueError, match=rf"arrays are on {device.name}\(\) and other\(\); move one with .to"):
            use(a, b)


@pytest.mark.parametrize(
    "other", ["x", [1, 2], None, 1j, np.ones(2)], ids=["str", "list", "None", "complex", "ndarray"]
)
@pytest.mark.parametrize("op", [operator.add, operator.sub, operator.truediv, operator.ge, operator.lt, nd.maximum])
def test_an_operand_that_is_no_array_and_no_number_is_a_type_error(op, other) -> None:
    with pytest.raises(TypeError):
        op(nd.array([1.0, 2.0]), other)
    if op is not nd.maximum:
        with pytest.raises(TypeError):
            op(other, nd.array([1.0, 2.0]))


def test_an_array_is_never_equal_to_none() -> None:
    assert (nd.array([1]) == None) is False and (nd.array([1]) != None) is True  # noqa: E711


def test_power_with_a_numpy_array_as_exponent_is_refused() -> None:
    with pytest.raises(TypeError):
        nd.array([1.0]) ** np.array([1.0])


# Copies


def test_numpy_is_an_independent_copy(device) -> None:  # V-15
    a = ar(device, 4)
    v = a.numpy()
    v[0] = 99
    assert a.numpy()[0] == 0
    a[...] = 7
    assert v.tolist() == [99, 1, 2, 3]


def test_numpy_of_a_view_is_row_major_and_outlives_the_array(device) -> None:
    x = ar(device, 2, 3).permute((1, 0)).numpy()
    assert x.flags.c_contiguous and x.flags.writeable and x.tolist() == [[0, 3], [1, 4], [2, 5]]


def test_to_another_device_copies_and_to_the_same_does_not(device) -> None:
    a = ar(device, 2, 3)
    assert a.to(device) is a
    b = a.permute((1, 0)).to(BackendDevice("other", nd.cpu_numpy().mod))
    b[...] = 0
    assert b.device.name == "other" and b.shape == (3, 2) and a.sum().numpy() == 15


def test_arrays_can_be_copied_deep_copied_and_pickled(device) -> None:
    a = ar(device, 2, 3).permute((1, 0))
    for b in (copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a))):
        assert b.device == device and b.shape == (3, 2)
        np.testing.assert_array_equal(a.numpy(), b.numpy())
        b[...] = 0
    assert a.sum().numpy() == 15


def test_fill_sets_the_whole_buffer_and_ellipsis_only_the_view(device) -> None:
    a = ar(device, 2, 3)
    a[:, 1:][...] = -1
    assert a.numpy().tolist() == [[0, -1, -1], [3, -1, -1]]
    a[1].fill(2)
    assert a.numpy().tolist() == [[2, 2, 2], [2, 2, 2]]


def test_repr_shows_values_and_device(device) -> None:
    assert repr(nd.array([1, 2], device=device)) == f"NDArray([1. 2.], device={device.name}())"


def test_arrays_have_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(nd.array([1]))


def test_iteration_gives_the_rows_and_ends(device) -> None:
    assert [row.numpy().tolist() for row in ar(device, 2, 2)] == [[[0, 1]], [[2, 3]]]
