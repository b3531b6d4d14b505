"""Values of operators where the usual mistakes differ: both sides, edges, extremes and shapes, on every device."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from needle import ops
from needle.autograd import Tensor
from needle.backend_numpy import CPUDevice
from tests.needle.gradient_check import tensor64

INF, NAN = math.inf, math.nan


@pytest.fixture(params=["np", "cpu_numpy", "cpu", "cuda", "cuda_sim"])
def make(request: pytest.FixtureRequest, usable_device: Any) -> Any:
    """A function from numbers to a float32 tensor, on plain NumPy and on each usable device."""
    where = CPUDevice() if request.param == "np" else usable_device(request.param)
    return lambda values: Tensor(np.asarray(values, dtype="float32"), device=where)


def same(have: Any, want: Any, ulps: int = 4) -> None:
    """Equal up to some units in the last place, with NaN only where it is wanted, and of exactly this shape."""
    have, want = have.numpy(), np.asarray(want, dtype="float32")
    assert have.shape == want.shape and have.dtype == np.float32
    np.testing.assert_array_equal(np.isfinite(have), np.isfinite(want))
    np.testing.assert_allclose(have, want, rtol=ulps * 2.0**-23, atol=1e-37)


def test_numbers_and_tensors_may_stand_on_both_sides(make: Any) -> None:
    x = make([3.0, -2.0])
    same(1 - x, [-2, 3])
    same(x - 1, [2, -3])
    same(2 / x, [2 / 3, -1])
    same(x / 2, [1.5, -1])
    same(x / x, [1, 1])
    same(2**x, [8, 0.25], ulps=8)
    same(x**2, [9, 4])
    same(2 * x, [6, -4])
    same(1 + x, [4, -1])
    same(-x, [-3, 2])
    same(abs(x), [3, 2])
    same(np.float32(2) * x, [6, -4])
    same(np.float64(1) - x, [-2, 3])


def test_gradients_of_reflected_operators(make: Any) -> None:
    for function, want in ((lambda x: 1 - x, -1), (lambda x: 1 / x, -1 / 9), (lambda x: 2 - 1 / x, 1 / 9)):
        x = make([3.0])
        function(x).backward()
        same(x.grad, [want])


def test_comparisons_give_0_and_1_and_are_false_for_nan(make: Any) -> None:
    a, b = make([1, 2, 3, NAN, 1]), make([2, 2, 2, 1, NAN])
    same(a < b, [1, 0, 0, 0, 0])
    same(a <= b, [1, 1, 0, 0, 0])
    same(a > b, [0, 0, 1, 0, 0])
    same(a >= b, [0, 1, 1, 0, 0])
    same(a.eq(b), [0, 1, 0, 0, 0])
    same(a.ge(2), [0, 1, 1, 0, 0])
    same(a < 2, [1, 0, 0, 0, 1])
    same(a <= 2, [1, 1, 0, 0, 1])
    same(a > 2, [0, 0, 1, 0, 0])
    same(a.eq(3), [0, 0, 1, 0, 0])


def test_gradient_of_relu_and_abs_is_0_at_0(make: Any) -> None:
    for function, want in ((ops.relu, [0, 0, 1]), (ops.absolute, [-1, 0, 1])):
        x = make([-1.0, 0.0, 2.0])
        function(x).backward()
        same(x.grad, want)


@pytest.mark.parametrize(
    "exponent, want", [(0, [0, 0, 0]), (1, [1, 1, 1]), (2, [0, 4, -6]), (-2, [-INF, -0.25, 2 / 27])]
)
def test_gradient_of_integer_powers_at_and_around_0(make: Any, exponent: float, want: list[float]) -> None:
    x = make([0.0, 2.0, -3.0])
    (x**exponent).backward()
    same(x.grad, want)


def test_gradient_of_a_tensor_power_at_0() -> None:
    a, b = tensor64([0.0, 0.0, 0.0, 2.0]), tensor64([0.0, 1.0, 2.0, 0.0])
    (a**b).backward()
    np.testing.assert_allclose(a.grad.numpy(), [0, 1, 0, 0])
    np.testing.assert_allclose(b.grad.numpy(), [0, 0, 0, math.log(2)])


def test_tied_maxima_share_the_gradient_evenly_and_nan_counts_as_largest(make: Any) -> None:
    x = make([[2, 2, 1], [0, 5, 5], [-3, -3, -3], [1, NAN, 7]])
    y = x.max(axes=1)
    same(y, [2, 5, -3, NAN])
    y.backward(make([1, 3, 6, 2]))
    same(x.grad, [[0.5, 0.5, 0], [0, 1.5, 1.5], [2, 2, 2], [0, 2, 0]])
    a, b = make([1, 2, 3]), make([3, 2, 1])
    ops.maximum(a, b).backward()
    same(a.grad, [0, 0.5, 1])
    same(b.grad, [1, 0.5, 0])


def test_maximum_and_minimum_of_negative_rows(make: Any) -> None:
    x = make([[-5, -7], [-1, -2]])
    same(x.max(axes=-1), [-5, -1])
    same(x.min(axes=(0,)), [-5, -7])
    same(x.max(axes=(0, 1)), -1)


def test_clip_sqrt_and_mean(make: Any) -> None:
    x = make([-4.0, 0.25, 9.0])
    same(x.clip(-1, 4), [-1, 0.25, 4])
    same(make([4.0, 0.25]).sqrt(), [2, 0.5])
    same(make([[1, 2], [3, 4]]).mean(axes=1), [1.5, 3.5])
    with pytest.raises(ValueError, match="clip: low must not exceed high, got 2 and 1"):
        x.clip(2, 1)


@pytest.mark.parametrize("axes", [1, (1,), -1, (-1,), [1]], ids=str)
def test_summation_takes_axes_in_every_form(make: Any, axes: Any) -> None:
    x = make(np.ones((3, 4)))
    y = ops.summation(x, axes=axes)
    same(y, [4, 4, 4])
    y.backward()
    same(x.grad, np.ones((3, 4)))


def test_summation_over_several_axes_and_none(make: Any) -> None:
    numbers = np.arange(24.0).reshape(2, 3, 4)
    x = make(numbers)
    same(x.sum(axes=(0, -1)), numbers.sum((0, 2)))
    same(x.sum(axes=(2, 0, 1)), numbers.sum())
    assert float(x.sum().numpy().sum()) == numbers.sum()
    assert x.sum().shape == (() if isinstance(x.device, CPUDevice) else (1,))


@pytest.mark.parametrize(
    "shape, target",
    [((5,), (1, 5)), ((3, 1, 5), (2, 3, 4, 5)), ((), (2, 3)), ((3,), (3, 3)), ((1, 1), (1, 1)), ((3, 1), (3, 3))],
    ids=str,
)
def test_broadcast_to_and_its_gradient_use_axes_from_the_right(make: Any, shape: Any, target: Any) -> None:
    numbers = np.arange(math.prod(shape), dtype="float32").reshape(shape)
    x = make(numbers)
    y = ops.broadcast_to(x, target)
    same(y, np.broadcast_to(numbers, target))
    upstream = np.arange(math.prod(target), dtype="float32").reshape(target)
    y.backward(make(upstream))
    added = len(target) - len(shape)
    grown = tuple(added + k for k, n in enumerate(shape) if n == 1 and target[added + k] != 1)
    same(x.grad, upstream.sum((*range(added), *grown)).reshape(shape))


def test_logsumexp_of_large_infinite_and_thin_input(make: Any) -> None:
    x = make([[1000.0, 1000.0], [-1e4, 1e4], [-INF, -INF], [-INF, 3.0]])
    y = ops.logsumexp(x, axes=(1,))
    same(y, [1000 + math.log(2), 1e4, -INF, 3])
    y.backward()
    same(x.grad, [[0.5, 0.5], [0, 1], [0, 0], [0, 1]])
    assert ops.logsumexp(make(np.zeros((3, 1, 4))), axes=(2,)).shape == (3, 1)
    same(ops.logsumexp(make([1e10, 1e10]), axes=0), 1e10)


def test_softmax_and_logsoftmax_do_not_overflow(make: Any) -> None:
    x = make([[1e4, -1e4, 1e4]])
    same(ops.softmax(x), [[0.5, 0, 0.5]])
    same(ops.logsoftmax(x), [[-math.log(2), -2e4 - math.log(2), -math.log(2)]])
    same(ops.softmax(make([[-INF, -INF, 0.0], [-INF, -INF, -INF]])), [[0, 0, 1], [0, 0, 0]])


def test_sigmoid_keeps_small_values_and_does_not_overflow(make: Any) -> None:
    x = make([-1e4, -30.0, 0.0, 30.0, 1e4])
    small = math.exp(-30) / (1 + math.exp(-30))
    y = ops.sigmoid(x)
    same(y, [0, small, 0.5, 1, 1])
    y.backward()
    same(x.grad, [0, small, 0.25, small, 0], ulps=8)


def test_matmul_of_batches_broadcasts(make: Any) -> None:
    generator = np.random.default_rng(0)
    for left, right in (((2, 3, 4), (4, 5)), ((3, 4), (2, 4, 5)), ((2, 1, 3, 4), (3, 4, 2)), ((0, 3, 4), (0, 4, 2))):
        a, b = generator.integers(-4, 5, left).astype("float32"), generator.integers(-4, 5, right).astype("float32")
        same(make(a) @ make(b), a @ b)


def test_gradient_of_matmul_has_the_shape_of_its_input_when_a_batch_axis_has_length_1(make: Any) -> None:
    a, b = make(np.ones((3, 1, 2, 4))), make(np.ones((5, 4, 2)))
    (a @ b).backward()
    same(a.grad, np.full((3, 1, 2, 4), 10.0))
    same(b.grad, np.full((5, 4, 2), 6.0))


def test_float32_stays_float32_through_every_kind_of_op() -> None:
    x = Tensor(np.ones((2, 2), "float32"), device=CPUDevice())
    y = ops.sigmoid((x / 3 + np.float64(2)) ** 2 * np.float64(1.5)).mean()
    y = y + ops.logsumexp(ops.clip(x, np.float64(0), 3)) + ops.reduce_max(x.eq(1) * x)
    y.backward()
    assert y.dtype == np.float32 and x.grad.dtype == np.float32


def test_dilate_writes_zeros_after_each_element_and_ignores_axes_that_are_not_there(make: Any) -> None:
    x = make([[1, 2], [3, 4]])
    same(ops.dilate(x, (1, 2), 1), [[1, 0, 2, 0], [3, 0, 4, 0]])
    same(ops.dilate(x, (0, 1), 0), [[1, 2], [3, 4]])
    same(ops.undilate(make([[1, 0, 2], [3, 0, 4]]), (1,), 1), [[1, 2], [3, 4]])


def test_stack_split_flip_pad_and_crop(make: Any) -> None:
    a, b = make([[1, 2, 3]]), make([[4, 5, 6]])
    same(ops.stack([a, b], 2), [[[1, 4], [2, 5], [3, 6]]])
    same(ops.stack([a, b], -1), [[[1, 4], [2, 5], [3, 6]]])
    same(ops.split(ops.stack([a, b], 1), 1)[1], [[4, 5, 6]])
    same(ops.flip(ops.stack([a, b], 0), (0, 2)), [[[6, 5, 4]], [[3, 2, 1]]])
    same(ops.pad(a, [(1, 0), (0, 2)]), [[0, 0, 0, 0, 0], [1, 2, 3, 0, 0]])
    same(ops.crop(a, [(0, 0), (1, 1)]), [[2]])


def test_conv_of_small_whole_numbers_is_exact(make: Any) -> None:
    image = np.arange(2 * 4 * 5 * 2, dtype="float32").reshape(2, 4, 5, 2) % 7
    kernel = np.arange(3 * 3 * 2 * 3, dtype="float32").reshape(3, 3, 2, 3) % 5 - 2
    for stride, padding in ((1, 0), (1, 1), (2, 1), (3, 2)):
        padded = np.pad(image, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
        rows = range(0, padded.shape[1] - 2, stride)
        columns = range(0, padded.shape[2] - 2, stride)
        want = [[[np.tensordot(one[i : i + 3, j : j + 3], kernel, 3) for j in columns] for i in rows] for one in padded]
        same(ops.conv(make(image), make(kernel), stride=stride, padding=padding), want)
    assert ops.conv(make(image), make(kernel)).shape == (2, 4, 5, 3)  # the function's default padding is 1
