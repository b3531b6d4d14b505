"""Cases of sum, maximum and mean, and of the logarithms of sums of exponentials."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.autograd.case import Array, TensorCase
from autograder.cases.autograd.numbers import shape_of, signed
from autograder.cases.autograd.question import Answer, Question, V, shown
from autograder.cases.draw import Draw

CHECKS = ("sum", "sum_gradient", "sum_axes", "max", "max_gradient", "max_ties", "mean", "mean_gradient")
LOG_CHECKS = (
    *("logsumexp", "logsumexp_gradient", "softmax", "softmax_gradient", "logsoftmax", "logsoftmax_gradient"),
    *("large", "minus_infinity", "axes", "reuse"),
)
SUM, MAX = ["Summation.compute", "Summation.gradient"], ["Max.compute", "Max.gradient"]
CLASSES = {"logsumexp": "LogSumExp", "softmax": "Softmax", "logsoftmax": "LogSoftmax"}


def spread(value: Array, shape: tuple[int, ...], axes: Any) -> Array:
    """A reduced array repeated along the reduced axes."""
    whole = tuple(range(len(shape))) if axes is None else axes if isinstance(axes, (tuple, list)) else (axes,)
    with_ones = [1 if k in {axis % len(shape) for axis in whole} else n for k, n in enumerate(shape)]
    return np.broadcast_to(np.reshape(value, with_ones), shape)


def _numpy_axes(axes: Any) -> Any:
    return tuple(axes) if isinstance(axes, list) else axes


def cases(draw: Draw) -> list[TensorCase]:
    """The cases of `reduce.autograd`."""
    found: list[TensorCase] = []
    axes: Any
    for axes, ndim in ((None, 2), ((0,), 2), ((1,), 3), ((0, 2), 3), ((1, 2), 4)):
        shape = shape_of(draw, ndim)
        a = signed(draw, shape)
        found += _sum(draw, a, axes, "sum", "sum_gradient") + _mean(draw, a, axes) + _max(draw, a, axes)
    for axes in (1, (1,), [1], -1, (-1,), (0, -1), 0):
        found += _sum(draw, signed(draw, (3, 4)), axes, "sum_axes", "sum_axes")
    a = np.array([[3.0, 1.0, 3.0], [2.0, 2.0, 2.0], [0.0, -1.0, -2.0]])
    g = signed(draw, (3,))
    share = np.array([[0.5, 0, 0.5], [1 / 3, 1 / 3, 1 / 3], [1, 0, 0]])
    mistakes = [("Every one of the equal largest elements gets the whole gradient.", g[:, None] * (share > 0))]
    asked = Question("reduce_max(a, (1,)) with equal largest elements", a=a).then("y", "reduce_max", V("a"), (1,))
    found.append(asked.gradient("max_ties", MAX, g, a=Answer(g[:, None] * share, mistakes=mistakes)))
    return found


def _sum(draw: Draw, a: Array, axes: Any, check: str, gradient_check: str) -> list[TensorCase]:
    right = a.sum(_numpy_axes(axes))
    g = signed(draw, right.shape)
    asked = Question(f"summation(a, {axes}) of shape {shown(a.shape)}", a=a).then("y", "summation", V("a"), axes)
    by_a = spread(g, a.shape, axes)
    return [
        asked.value(check, SUM[:1], Answer(right, np.abs(a).sum(_numpy_axes(axes)), terms=a.size)),
        asked.gradient(
            gradient_check,
            SUM,
            g,
            a=Answer(by_a, mistakes=[("It is divided by the number of terms.", by_a * right.size / a.size)]),
        ),
    ]


def _mean(draw: Draw, a: Array, axes: Any) -> list[TensorCase]:
    right = np.asarray(a.mean(axes))
    g, count = signed(draw, right.shape), a.size // right.size
    asked = Question(f"mean(a, {axes}) of shape {shown(a.shape)}", a=a).then("y", "mean", V("a"), axes)
    undivided = [("It is the sum: divide by the number of elements summed.", right * count)]
    whole = [("It is divided by the number of all elements, not of those summed.", right * count / a.size)]
    by_a = spread(g, a.shape, axes) / count
    return [
        asked.value("mean", ["mean"], Answer(right, np.abs(a).mean(axes), undivided + whole, terms=a.size)),
        asked.gradient("mean_gradient", ["mean"], g, a=Answer(by_a, mistakes=[("It is not divided.", by_a * count)])),
    ]


def _max(draw: Draw, a: Array, axes: Any) -> list[TensorCase]:
    a = a - 4.0  # all below zero: where a maximum starts shows
    right = np.asarray(a.max(axes))
    g = signed(draw, right.shape)
    asked = Question(f"reduce_max(a, {axes}) of shape {shown(a.shape)}", a=a).then("y", "reduce_max", V("a"), axes)
    by_a = spread(g, a.shape, axes) * (a == spread(right, a.shape, axes))
    everywhere = [("Every element gets the gradient, not only the largest.", spread(g, a.shape, axes))]
    return [
        asked.value("max", MAX[:1], right),
        asked.gradient("max_gradient", MAX, g, a=Answer(by_a, mistakes=everywhere)),
    ]


def _lse(a: Array, axes: Any) -> Array:
    """ln of the sum of e^a, kept as axes of length 1; a row of -inf gives -inf."""
    highest = np.maximum(a.max(axes, keepdims=True), -1e300)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(a - highest).sum(axes, keepdims=True)) + highest)


def _soft(a: Array, axes: Any) -> Array:
    whole = _lse(a, axes)
    return np.exp(a - np.where(np.isfinite(whole), whole, 0.0))


def _log_answers(name: str, a: Array, axes: Any, g: Array) -> tuple[Answer, Answer]:
    soft, size = _soft(a, axes), 1 + np.abs(np.where(np.isfinite(a), a, 0.0))
    largest = size.max(axes, keepdims=True)
    if name == "logsumexp":
        value, outward = np.squeeze(_lse(a, axes), axes), spread(g, a.shape, axes)
        bare = [("It is spread evenly: each element's share is its softmax.", outward)]
        return Answer(value, np.squeeze(largest, axes), terms=a.size), Answer(
            outward * soft, np.abs(outward) * largest, bare
        )
    row = np.abs(g).sum(axes, keepdims=True)
    if name == "softmax":
        by_a = soft * (g - (g * soft).sum(axes, keepdims=True))
        own = [
            ("Only an element's own exponential is seen; the sum moves too.", g * soft * (1 - soft)),
            ("The row's sum is missing.", g * soft),
        ]
        return Answer(soft, soft * largest, terms=a.size), Answer(by_a, (np.abs(g) + row) * largest, own, terms=a.size)
    by_a = g - soft * g.sum(axes, keepdims=True)
    unsummed = [
        ("The gradient is not summed over the row.", g - soft * g),
        ("The softmax is missing.", g - g.sum(axes, keepdims=True)),
    ]
    return Answer(a - _lse(a, axes), largest + 0 * a), Answer(by_a, np.abs(g) + row * largest, unsummed, terms=a.size)


def _functions(name: str) -> list[str]:
    # logsumexp's rule may be written with softmax, and logsoftmax shares softmax's helpers.
    also = ["Softmax.compute"] if name == "logsumexp" else []
    return [f"{CLASSES[name]}.compute", f"{CLASSES[name]}.gradient", *also]


def _log_pair(draw: Draw, name: str, a: Array, axes: Any, checks: tuple[str, str], title: str = "") -> list[TensorCase]:
    shape = np.squeeze(_lse(a, _numpy_axes(axes)), _numpy_axes(axes)).shape if name == "logsumexp" else a.shape
    g = signed(draw, shape)
    value, by_a = _log_answers(name, a, _numpy_axes(axes), g)
    asked = Question(title or f"{name}(a, {axes}) of shape {shown(a.shape)}", a=a).then("y", name, V("a"), axes)
    made = _functions(name)
    return [asked.value(checks[0], made[:1], value), asked.gradient(checks[1], made, g, a=by_a)]


def log_cases(draw: Draw) -> list[TensorCase]:
    """The cases of `logsumexp.autograd`."""
    found: list[TensorCase] = []
    axes: Any
    for name in CLASSES:
        for axes, ndim in ((1, 2), (-1, 3), (0, 2)):
            found += _log_pair(draw, name, signed(draw, shape_of(draw, ndim)), axes, (name, f"{name}_gradient"))
        a = np.array([[1000.0, 1000.0, 999.0], [-1e4, -1e4, -1e4 + 1], [1e4, 0.0, -1e4]])
        found += _log_pair(draw, name, a, 1, ("large", "large"), f"{name} of rows around 1000, -1e4 and 1e4")
    for axes in (None, 1, -1, (1,), (0, 1), [0, 2]):
        a = signed(draw, (3, 2, 4))
        found += _log_pair(draw, "logsumexp", a, axes, ("axes", "axes"))
    found += _log_pair(draw, "logsumexp", np.zeros((3, 1, 4)) + signed(draw, (4,)), (2,), ("axes", "axes"))
    a = np.array([[-np.inf, -np.inf], [0.5, -np.inf], [1.0, 2.0]])
    for name in ("logsumexp", "softmax"):
        found += _log_pair(draw, name, a, 1, ("minus_infinity", "minus_infinity"), f"{name} of a row of -inf")
    return found + _reuse(draw)


def _reuse(draw: Draw) -> list[TensorCase]:
    """One operator object applied to two tensors, and the gradient of the first."""
    found = []
    for name in CLASSES:
        a, b = signed(draw, (2, 3)), signed(draw, (4, 3))
        g = signed(draw, (2,) if name == "logsumexp" else (2, 3))
        asked = Question(f"one {CLASSES[name]}(1) applied to a, then to b", a=a, b=b, g=g)
        asked.then("op", "new", CLASSES[name], 1).then("y", "apply", V("op"), V("a")).then(
            "z", "apply", V("op"), V("b")
        )
        asked.then("gradient by a", "gradient", V("y"), V("g"), V("a"))
        found.append(asked.value("reuse", _functions(name), _log_answers(name, a, 1, g)[1]))
    return found
