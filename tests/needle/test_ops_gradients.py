"""Every operator's gradient against central differences in float64, with drawn shapes, axes and values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from needle import ops
from tests.needle.gradient_check import check_gradients

drawn = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
shapes = st.lists(st.integers(1, 3), max_size=3).map(tuple)
some_axes = st.lists(st.integers(1, 3), min_size=1, max_size=3).map(tuple)
seeds = st.integers(0, 2**16)


def values(shape: Any, seed: int, kind: str = "any") -> np.ndarray:
    """Numbers of both signs at least 0.2 away from 0, so that no difference steps over a bend; or positive ones."""
    generator = np.random.default_rng(seed)
    size = generator.uniform(0.2, 1.6, shape)
    return size if kind == "positive" else size * generator.choice([-1.0, 1.0], shape)


def distinct(shape: Any, seed: int) -> np.ndarray:
    """Numbers that differ by 0.1 at least: a maximum keeps its place while differences are taken."""
    size = math.prod(shape)
    return (np.random.default_rng(seed).permutation(size) * 0.1 - 0.05 * size + 0.03).reshape(shape)


UNARY: dict[str, tuple[Callable[..., Any], str]] = {
    "negate": (ops.negate, "any"),
    "exp": (ops.exp, "any"),
    "log": (ops.log, "positive"),
    "tanh": (ops.tanh, "any"),
    "relu": (ops.relu, "any"),
    "sigmoid": (ops.sigmoid, "any"),
    "abs": (ops.absolute, "any"),
    "sqrt": (ops.sqrt, "positive"),
    "clip": (lambda a: ops.clip(a, -0.1, 2.0), "any"),
    "add_scalar": (lambda a: ops.add_scalar(a, 2.5), "any"),
    "reflected subtraction": (lambda a: 1 - a, "any"),
    "mul_scalar": (lambda a: ops.mul_scalar(a, -1.5), "any"),
    "divide_scalar": (lambda a: ops.divide_scalar(a, 4), "any"),
    "reflected division": (lambda a: 2 / a, "any"),
    "reflected power": (lambda a: 3**a, "any"),
    "power 3": (lambda a: a**3, "any"),
    "power -2": (lambda a: a**-2.0, "any"),
    "power 0.5": (lambda a: a**0.5, "positive"),
    "power 1": (lambda a: a**1, "any"),
    "power 0": (lambda a: a**0 * a, "any"),
    "maximum_scalar": (lambda a: ops.maximum_scalar(a, 0.1), "any"),
}


@pytest.mark.parametrize("name", UNARY)
@given(shape=shapes, seed=seeds)
@drawn
def test_first_and_second_gradient_of_one_operand(name: str, shape: Any, seed: int) -> None:
    function, kind = UNARY[name]
    check_gradients(function, [values(shape, seed, kind)], order=2)


BINARY: dict[str, tuple[Callable[..., Any], str]] = {
    "add": (ops.add, "any"),
    "subtract": (lambda a, b: a - b, "any"),
    "multiply": (ops.multiply, "any"),
    "divide": (ops.divide, "any"),
    "power": (ops.power, "positive"),
    "used twice": (lambda a, b: a * b + a * a, "any"),
}


@pytest.mark.parametrize("name", BINARY)
@given(shape=shapes, seed=seeds, data=st.data())
@drawn
def test_first_and_second_gradient_of_two_operands_that_may_broadcast(
    name: str, shape: Any, seed: int, data: Any
) -> None:
    function, kind = BINARY[name]
    other = tuple(1 if data.draw(st.booleans()) else length for length in shape)[data.draw(st.integers(0, 1)) :]
    pair = [values(shape, seed, kind), values(other, seed + 1, kind)]
    check_gradients(function, pair if data.draw(st.booleans()) else pair[::-1], order=2)


@given(shape=shapes, seed=seeds)
@drawn
def test_gradient_of_maximum_goes_to_the_larger(shape: Any, seed: int) -> None:
    both = distinct((2, *shape), seed)
    check_gradients(ops.maximum, [both[0], both[1]])


def draw_axes(data: Any, ndim: int) -> Any:
    """None, an int, or some axes; each counted from the front or from the end."""
    chosen = data.draw(st.lists(st.integers(0, ndim - 1), min_size=1, max_size=ndim, unique=True))
    signed = tuple(axis - ndim if data.draw(st.booleans()) else axis for axis in chosen)
    return data.draw(st.sampled_from([None, signed[0], signed, list(signed)]))


REDUCTIONS = {
    "summation": ops.summation,
    "mean": ops.mean,
    "max": ops.reduce_max,
    "min": ops.reduce_min,
    "logsumexp": ops.logsumexp,
}


@pytest.mark.parametrize("name", REDUCTIONS)
@given(shape=some_axes, seed=seeds, data=st.data())
@drawn
def test_first_and_second_gradient_of_reductions(name: str, shape: Any, seed: int, data: Any) -> None:
    axes = draw_axes(data, len(shape))
    check_gradients(lambda a: REDUCTIONS[name](a, axes), [distinct(shape, seed)], order=2)


@pytest.mark.parametrize("name", ["softmax", "logsoftmax"])
@given(shape=some_axes, seed=seeds, data=st.data())
@drawn
def test_first_and_second_gradient_along_one_axis(name: str, shape: Any, seed: int, data: Any) -> None:
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    check_gradients(lambda a: getattr(ops, name)(a, axis), [values(shape, seed)], order=2)


@given(batch=shapes, mnp=st.tuples(*[st.integers(1, 3)] * 3), seed=seeds, data=st.data())
@drawn
def test_first_and_second_gradient_of_matmul_whose_batches_broadcast(
    batch: Any, mnp: Any, seed: int, data: Any
) -> None:
    m, n, p = mnp
    other = tuple(1 if data.draw(st.booleans()) else length for length in batch)[data.draw(st.integers(0, 1)) :]
    batches = [batch, other] if data.draw(st.booleans()) else [other, batch]
    check_gradients(ops.matmul, [values((*batches[0], m, n), seed), values((*batches[1], n, p), seed + 1)], order=2)


@given(shape=some_axes, seed=seeds, data=st.data())
@drawn
def test_gradient_of_views(shape: Any, seed: int, data: Any) -> None:
    ndim = len(shape)
    order = data.draw(st.permutations(range(ndim)))
    target = (data.draw(st.integers(1, 3)), *(data.draw(st.integers(1, 3)) if n == 1 else n for n in shape))
    cases = {
        "reshape": lambda a: ops.reshape(a, (1, math.prod(shape), 1)),
        "reshape -1": lambda a: ops.reshape(a, (-1, shape[-1])),
        "permute": lambda a: ops.permute(a, order),
        "broadcast_to": lambda a: ops.broadcast_to(a, target),
        "flip": lambda a: ops.flip(a, (order[0],)),
        "flip all": lambda a: ops.flip(a),
    }
    if ndim > 1:
        cases["transpose"] = lambda a: ops.transpose(a, (order[0], order[1] - ndim))
        cases["transpose of the last two"] = ops.transpose
    for function in cases.values():
        check_gradients(function, [values(shape, seed)])


@given(shape=some_axes, seed=seeds, data=st.data())
@drawn
def test_gradient_of_writes_through_views(shape: Any, seed: int, data: Any) -> None:
    ndim = len(shape)
    axis, gap = data.draw(st.integers(-ndim, ndim - 1)), data.draw(st.integers(0, 2))
    widths = [(data.draw(st.integers(0, 2)), data.draw(st.integers(0, 2))) for _ in shape]
    less = [(before % n, 0) for (before, _), n in zip(widths, shape, strict=True)]
    a = values(shape, seed)
    check_gradients(lambda x: ops.dilate(x, (axis, ndim + 1), gap), [a])
    check_gradients(lambda x: ops.undilate(x, (axis,), gap), [a])
    check_gradients(lambda x: ops.pad(x, widths), [a])
    check_gradients(lambda x: ops.crop(x, less), [a])
    check_gradients(lambda x, y, z: ops.stack([x, y, z], axis), [a, values(shape, seed + 1), values(shape, seed + 2)])
    check_gradients(lambda x: sum_of_powers(ops.split(x, axis)), [a], order=2)


def sum_of_powers(parts: Any) -> Any:
    """Different uses of each part, so that parts in a wrong order are seen."""
    return ops.stack([part ** (k + 2) for k, part in enumerate(parts)], 0)


@given(
    n=st.integers(1, 2),
    size=st.tuples(st.integers(1, 5), st.integers(1, 5)),
    channels=st.tuples(st.integers(1, 2), st.integers(1, 2)),
    kernel=st.tuples(st.integers(1, 3), st.integers(1, 3)),
    stride=st.integers(1, 3),
    padding=st.integers(0, 3),
    seed=seeds,
)
@settings(max_examples=30, deadline=None)
def test_gradient_of_conv_for_every_rest_that_the_last_window_leaves(
    n: int, size: Any, channels: Any, kernel: Any, stride: int, padding: int, seed: int
) -> None:
    kernel = tuple(min(k, length + 2 * padding) for k, length in zip(kernel, size, strict=True))
    image, weight = values((n, *size, channels[0]), seed), values((*kernel, *channels), seed + 1)
    check_gradients(lambda a, b: ops.conv(a, b, stride=stride, padding=padding), [image, weight])


def test_second_gradient_of_conv() -> None:
    image, weight = values((1, 4, 3, 2), 0), values((2, 2, 2, 1), 1)
    check_gradients(lambda a, b: ops.conv(a, b, stride=2, padding=1), [image, weight], order=2)


def test_gradient_of_tuples_reaches_every_use() -> None:
    a, b = values((2, 2), 0), values((2, 2), 1)
    check_gradients(lambda x, y: ops.make_tuple(x, y)[1] * ops.make_tuple(x, y)[0] * x, [a, b], order=2)

    def fused(x: Any) -> Any:
        pair = ops.fused_add_scalars(x, 2.0, 3.0)
        return pair[0] * pair[1] + (pair + pair)[0]

    check_gradients(fused, [a], order=2)
