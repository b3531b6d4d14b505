"""Every operator on every usable device against float64 on NumPy, within bounds that follow from its arithmetic.

u = 2^-24 is the relative error of one float32 rounding. Library functions (exp, log, tanh, power) are allowed 4u, two
units in the last place. A sum of n terms in any order is off by at most gamma(n) times the sum of their magnitudes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from needle import ops
from needle.autograd import Tensor
from tests.needle.gradient_check import gradients, tensor64, upstream

U = 2.0**-24
Array = np.ndarray


def gamma(n: float) -> float:
    return n * U / (1 - n * U)


def relative(k: float) -> Callable[..., Any]:
    """k roundings, none of which is followed by a cancellation."""
    return lambda y, *_: gamma(k) * np.abs(y)


def exponentials(x: Array, axes: Any) -> tuple[Array, Array, Array]:
    """|x - max|, the logarithm of the sum of e^(x - max), and the relative error of that sum, all with kept axes."""
    below = x - x.max(axis=axes, keepdims=True)
    count = x.size // max(1, below.max(axis=axes).size)
    error = (np.abs(below).max(axis=axes, keepdims=True) + 4 + count) * U  # argument, exp, additions
    return np.abs(below), np.log(np.exp(below).sum(axis=axes, keepdims=True)), error


def bound_logsumexp(y: Array, x: Array, axes: Any) -> Any:
    _, log_sum, error = exponentials(x, axes)
    return (error + 4 * U * np.abs(log_sum)).reshape(np.shape(y)) + 2 * U * np.abs(y)


def bound_softmax(y: Array, x: Array, axes: Any) -> Any:
    below, _, error = exponentials(x, axes)
    return y * (below * U + error + 6 * U) * 1.01


def bound_logsoftmax(y: Array, x: Array, axes: Any) -> Any:
    below, log_sum, error = exponentials(x, axes)
    return below * U + error + 5 * U * np.abs(log_sum) + U * np.abs(y)


def bound_softmax_gradient(function: Any, x: Array, g: Array) -> Any:
    """y (g - sum(g y)): the error of y, then of a sum of n terms, with nothing left to divide by."""
    y = np.exp(x - x.max(-1, keepdims=True))
    y /= y.sum(-1, keepdims=True)
    below, _, error = exponentials(x, -1)
    magnitude = y * (np.abs(g) + (np.abs(g) * y).sum(-1, keepdims=True))
    return magnitude * 2 * (below.max() * U + error.max() + gamma(x.shape[-1] + 10))


def bound_logsoftmax_gradient(function: Any, x: Array, g: Array) -> Any:
    y = np.exp(x - x.max(-1, keepdims=True))
    y /= y.sum(-1, keepdims=True)
    below, log_sum, error = exponentials(x, -1)
    of_y = (below * U + error + 5 * U * np.abs(log_sum) + 8 * U).max()
    return np.abs(g) * U + y * np.abs(g).sum(-1, keepdims=True) * (of_y + gamma(x.shape[-1] + 4))


@dataclass(frozen=True)
class Case:
    function: Callable[..., Any]
    forward: Callable[..., Any]  # (float64 result, *inputs) -> bound
    gradient: float | Callable[..., Any] = 8  # roundings, relative to the gradient itself; or a bound of its own
    kind: str = "any"
    count: int = 1


EXACT = relative(0)
CASES = {
    "add": Case(ops.add, relative(1), count=2),
    "subtract": Case(lambda a, b: a - b, relative(1), count=2),
    "multiply": Case(ops.multiply, relative(1), count=2),
    "divide": Case(ops.divide, relative(1), count=2),
    "maximum": Case(ops.maximum, EXACT, count=2),
    "negate": Case(ops.negate, EXACT),
    "abs": Case(ops.absolute, EXACT),
    "relu": Case(ops.relu, EXACT),
    "clip": Case(lambda a: ops.clip(a, -0.5, 1.0), EXACT),
    "exp": Case(ops.exp, relative(4)),
    "log": Case(ops.log, relative(4), kind="positive"),
    "tanh": Case(ops.tanh, relative(4), lambda f, x, g: np.abs(g) * gamma(12)),
    "sigmoid": Case(ops.sigmoid, relative(12), 32),
    "sqrt": Case(ops.sqrt, relative(4), kind="positive"),
    "power 3": Case(lambda a: a**3, relative(4)),
    "power -1.5": Case(lambda a: a**-1.5, relative(4), kind="positive"),
    "add_scalar": Case(lambda a: a + 0.5, relative(1)),
    "mul_scalar": Case(lambda a: a * 1.5, relative(1)),
    "divide_scalar": Case(lambda a: a / 3, relative(1)),
    "reflected subtraction": Case(lambda a: 0.5 - a, relative(1)),
    "reflected division": Case(lambda a: 3 / a, relative(5), 16),
    "maximum_scalar": Case(lambda a: ops.maximum_scalar(a, 0.25), EXACT),
    "sum": Case(lambda a: a.sum(-1), lambda y, x: gamma(x.shape[-1]) * np.abs(x).sum(-1)),
    "sum of all": Case(lambda a: a.sum(), lambda y, x: gamma(x.size) * np.abs(x).sum()),
    "mean": Case(lambda a: a.mean(0), lambda y, x: gamma(x.shape[0] + 1) * np.abs(x).mean(0)),
    "max": Case(lambda a: a.max(-1), EXACT),
    "min": Case(lambda a: a.min(0), EXACT),
    "logsumexp": Case(
        lambda a: ops.logsumexp(a, -1),
        lambda y, x: bound_logsumexp(y, x, -1),
        lambda f, x, g: np.abs(g)[..., None] * bound_softmax(np.ones_like(x), x, -1),
    ),
    "logsumexp of all": Case(
        ops.logsumexp,
        lambda y, x: bound_logsumexp(y, x, None),
        lambda f, x, g: np.abs(g) * bound_softmax(np.ones_like(x), x, None),
    ),
    "softmax": Case(ops.softmax, lambda y, x: bound_softmax(y, x, -1), bound_softmax_gradient),
    "logsoftmax": Case(ops.logsoftmax, lambda y, x: bound_logsoftmax(y, x, -1), bound_logsoftmax_gradient),
    "transpose": Case(lambda a: ops.transpose(a, (0, -1)), EXACT, 0),
    "permute": Case(lambda a: ops.permute(a, (1, 2, 0)), EXACT, 0),
    "reshape": Case(lambda a: a.reshape((-1,)), EXACT, 0),
    "broadcast_to": Case(lambda a: a.broadcast_to((3, *a.shape)), EXACT, lambda f, x, g: gamma(3) * np.abs(g).sum(0)),
    "flip": Case(lambda a: ops.flip(a, (0, 2)), EXACT, 0),
    "dilate": Case(lambda a: ops.dilate(a, (0, 1), 2), EXACT, 0),
    "undilate": Case(lambda a: ops.undilate(a, (2,), 1), EXACT, 0),
    "pad": Case(lambda a: ops.pad(a, [(1, 0), (0, 2), (1, 1)]), EXACT, 0),
    "crop": Case(lambda a: ops.crop(a, [(0, 1), (1, 0), (0, 0)]), EXACT, 0),
    "stack": Case(lambda a, b: ops.stack([a, b], 1), EXACT, 0, count=2),
    "split": Case(lambda a: ops.split(a, 1)[0], EXACT, 0),
}


def close(have: Tensor | Array, want: Array, bound: Any, what: str) -> None:
    have = have.numpy() if isinstance(have, Tensor) else have
    assert have.dtype == np.float32 and np.isfinite(want).all()
    error = np.abs(have.reshape(want.shape).astype("float64") - want)
    wrong = error > np.broadcast_to(bound, want.shape) + 2.0**-149
    assert not wrong.any(), (
        f"{what}: off by {error[wrong].max():g}, allowed {np.broadcast_to(bound, want.shape)[wrong][0]:g}"
    )


def compare(case: Case, arrays: list[Array], device: Any) -> None:
    """Forward and gradient on the device against float64 on NumPy, from the same float32 inputs."""
    doubles = [array.astype("float64") for array in arrays]
    want = case.function(*map(tensor64, doubles)).numpy()
    tensors = [Tensor(array, device=device) for array in arrays]
    out = case.function(*tensors)
    close(out, want, case.forward(want, *doubles), "forward")
    g = upstream(want.shape).astype("float32")
    out.backward(Tensor(g.reshape(out.shape), device=device))
    g64 = g.astype("float64")
    wanted = gradients(case.function, doubles, g64)
    for position, (tensor, grad) in enumerate(zip(tensors, wanted, strict=True)):
        if callable(case.gradient):
            bounds = case.gradient(case.function, *doubles, g64)
            bound = bounds[position] if isinstance(bounds, tuple) else bounds
        else:
            bound = gamma(case.gradient) * np.abs(grad)
        close(tensor.grad, grad, bound, f"gradient of input {position}")


lengths = st.sampled_from([1, 2, 3, 5, 17])


@pytest.mark.parametrize("name", CASES)
@given(shape=st.tuples(st.integers(2, 3), lengths, lengths), seed=st.integers(0, 2**16))
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_operator_agrees_with_float64_within_its_bound(name: str, shape: Any, seed: int, device: Any) -> None:
    case, generator = CASES[name], np.random.default_rng(seed)
    arrays = []
    for _ in range(case.count):
        array = generator.uniform(0.1, 3.0, shape)
        array = array if case.kind == "positive" else array * generator.choice([-1, 1], shape)
        arrays.append(array.astype("float32"))
    compare(case, arrays, device)


def product_bounds(count: int) -> Callable[..., Any]:
    """Sums of products: gamma(terms) times the same sums of magnitudes, forward and for both gradients."""

    def bound(function: Any, a: Array, b: Array, g: Array) -> Any:
        return tuple(gamma(count) * grad for grad in gradients(function, [np.abs(a), np.abs(b)], np.abs(g)))

    return bound


@given(m=lengths, n=lengths, p=lengths, batch=st.sampled_from([(), (2,), (2, 3)]), seed=st.integers(0, 2**16))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_matmul_agrees_with_float64_within_its_bound(
    m: int, n: int, p: int, batch: Any, seed: int, device: Any
) -> None:
    generator = np.random.default_rng(seed)
    a, b = (generator.standard_normal(shape).astype("float32") for shape in ((*batch, m, n), (n, p)))
    terms = max(n, p, m * math.prod(batch)) + 1
    forward = lambda y, a, b: gamma(n + 1) * (np.abs(a) @ np.abs(b))  # noqa: E731
    compare(Case(ops.matmul, forward, product_bounds(terms)), [a, b], device)


@given(
    size=st.tuples(st.integers(3, 6), st.integers(3, 6)),
    channels=st.tuples(st.integers(1, 3), st.integers(1, 3)),
    kernel=st.integers(1, 3),
    stride=st.integers(1, 3),
    padding=st.integers(0, 2),
    seed=st.integers(0, 2**16),
)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_conv_agrees_with_float64_within_its_bound(
    size: Any, channels: Any, kernel: int, stride: int, padding: int, seed: int, device: Any
) -> None:
    generator = np.random.default_rng(seed)
    a = generator.standard_normal((2, *size, channels[0])).astype("float32")
    b = generator.standard_normal((kernel, kernel, *channels)).astype("float32")

    def function(x: Any, y: Any) -> Any:
        return ops.conv(x, y, stride=stride, padding=padding)

    def forward(y: Array, a: Array, b: Array) -> Any:
        return gamma(kernel**2 * channels[0] + 1) * function(tensor64(np.abs(a)), tensor64(np.abs(b))).numpy()

    terms = max(kernel**2 * channels[1], 2 * math.prod(size)) + 1
    compare(Case(function, forward, product_bounds(terms)), [a, b], device)
