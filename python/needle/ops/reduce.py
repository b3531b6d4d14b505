"""Operators that reduce axes: sum, maximum, and the logarithms of sums of exponentials."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..array_kind import Array
from ..autograd import Tensor, TensorOp
from ..unfinished import unfinished  # noqa: F401  (what an unwritten exercise raises)
from . import arrays

Axes = Any


class Reduction(TensorOp):
    """Removes `axes`: None (all), an int, or several; negative axes count from the end."""

    def __init__(self, axes: Axes = None):
        self.axes = tuple(axes) if isinstance(axes, list) else axes

    def reduced_axes(self, a: Any) -> tuple[int, ...]:
        return arrays.normalize_axes(self.name, self.axes, len(a.shape), a.shape)

    def raw_axes(self, a: Array) -> tuple[int, ...] | None:
        return None if self.axes is None else self.reduced_axes(a)

    def refuse_empty(self, a: Array) -> None:
        if math.prod(a.shape[axis] for axis in self.reduced_axes(a)) == 0 and math.prod(self._kept_shape(a)) > 0:
            raise ValueError(f"{self.name}: axes {self.axes} of shape {tuple(a.shape)} hold no element")

    def _kept_shape(self, a: Any) -> list[int]:
        reduced = self.reduced_axes(a)
        return [length for axis, length in enumerate(a.shape) if axis not in reduced]

    def spread(self, value: Tensor, like: Tensor) -> Tensor:
        """Repeat a reduced tensor along the reduced axes, back to the shape of `like`."""
        reduced = self.reduced_axes(like)
        with_ones = [1 if axis in reduced else length for axis, length in enumerate(like.shape)]
        return value.reshape(tuple(with_ones)).broadcast_to(like.shape)


class Summation(Reduction):
    """The sum of the elements."""

    name = "summation"

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION reduce.autograd
        return arrays.reduce_sum(a, self.raw_axes(a))
        # END SOLUTION reduce.autograd

    def gradient(self, out_grad: Tensor, node: Any) -> Tensor:
        # BEGIN SOLUTION reduce.autograd
        return self.spread(out_grad, node.inputs[0])
        # END SOLUTION reduce.autograd


class Max(Reduction):
    """The largest element; equal largest elements share the gradient evenly, and NaN counts as largest."""

    name = "max"

    def compute(self, a: Array) -> Array:
        self.refuse_empty(a)
        # BEGIN SOLUTION reduce.autograd
        return arrays.reduce_max(a, self.raw_axes(a))
        # END SOLUTION reduce.autograd

    def gradient(self, out_grad: Tensor, node: Any) -> Tensor:
        # BEGIN SOLUTION reduce.autograd
        a = node.inputs[0]
        winners = a.eq(self.spread(node.detach(), a)) + (1.0 - a.eq(a))  # a = a fails for NaN only
        share = self.spread(out_grad / winners.sum(self.axes), a)
        return share * winners
        # END SOLUTION reduce.autograd


class LogSumExp(Reduction):
    """ln of the sum of e^a, with the maximum taken out first.

    A row of -inf gives -inf and gradient 0: where the maximum is -inf, the lowest finite number is taken out.
    """

    name = "logsumexp"

    def compute(self, a: Array) -> Array:
        self.refuse_empty(a)
        # BEGIN SOLUTION logsumexp.autograd
        reduced, raw = self.reduced_axes(a), self.raw_axes(a)
        highest = arrays.maximum(arrays.reduce_max(a, reduced, keepdims=True), lowest_finite(a))
        total = arrays.reduce_sum(arrays.exp(a - arrays.broadcast_to(highest, a.shape)), raw)
        return arrays.log(total) + arrays.reshape(highest, total.shape)
        # END SOLUTION logsumexp.autograd

    def gradient(self, out_grad: Tensor, node: Any) -> Tensor:
        # BEGIN SOLUTION logsumexp.autograd
        a = node.inputs[0]
        # softmax, not e^(a - node): node is rounded, and at 1000 that rounding is 3e-5 of the exponential
        return self.spread(out_grad, a) * Softmax(self.axes)(a)
        # END SOLUTION logsumexp.autograd


class Softmax(Reduction):
    """e^a over its sum along axes; a row of -inf gives zeros."""

    name = "softmax"

    # BEGIN SOLUTION logsumexp.autograd (helpers)
    def shifted(self, a: Array) -> tuple[Array, Array]:
        """a minus its maximum, and the sum of the exponentials of that, both of a's shape."""
        self.refuse_empty(a)
        axes = self.reduced_axes(a)
        highest = arrays.maximum(arrays.reduce_max(a, axes, keepdims=True), lowest_finite(a))
        below = a - arrays.broadcast_to(highest, a.shape)
        # The largest element adds 1, so the sum is at least 1, except in a row of -inf.
        total = arrays.maximum(arrays.reduce_sum(arrays.exp(below), axes, keepdims=True), 1.0)
        return below, arrays.broadcast_to(total, a.shape)

    # END SOLUTION logsumexp.autograd

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION logsumexp.autograd
        below, total = self.shifted(a)
        return arrays.divide(arrays.exp(below), total)
        # END SOLUTION logsumexp.autograd

    def total(self, value: Tensor) -> Tensor:
        return self.spread(value.sum(self.axes), value)

    def gradient(self, out_grad: Tensor, node: Tensor) -> Tensor:
        # BEGIN SOLUTION logsumexp.autograd
        return node * (out_grad - self.total(out_grad * node))
        # END SOLUTION logsumexp.autograd


class LogSoftmax(Softmax):
    """ln of softmax along axes; never ln of a rounded 0."""

    name = "logsoftmax"

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION logsumexp.autograd
        below, total = self.shifted(a)
        return below - arrays.log(total)
        # END SOLUTION logsumexp.autograd

    def gradient(self, out_grad: Tensor, node: Tensor) -> Tensor:
        # BEGIN SOLUTION logsumexp.autograd
        return out_grad - node.exp() * self.total(out_grad)
        # END SOLUTION logsumexp.autograd


def lowest_finite(a: Any) -> float:
    """The lowest finite number of an array's dtype; integers are computed with as float64."""
    dtype = np.dtype(str(a.dtype))
    return float(np.finfo(dtype if dtype.kind == "f" else np.float64).min)


def summation(a: Tensor, axes: Axes = None) -> Tensor:
    return Summation(axes)(a)


def mean(a: Tensor, axes: Axes = None) -> Tensor:
    """The sum over axes divided by the number of elements summed; of no elements it does not exist."""
    reduced = arrays.normalize_axes("mean", axes, a.ndim, a.shape)
    count = math.prod(a.shape[axis] for axis in reduced)
    if count == 0:
        raise ValueError(f"mean: axes {axes} of shape {a.shape} hold no element")
    # BEGIN SOLUTION reduce.autograd
    return summation(a, axes) / count
    # END SOLUTION reduce.autograd


def reduce_max(a: Tensor, axes: Axes = None) -> Tensor:
    return Max(axes)(a)


def reduce_min(a: Tensor, axes: Axes = None) -> Tensor:
    return -reduce_max(-a, axes)


def logsumexp(a: Tensor, axes: Axes = None) -> Tensor:
    return LogSumExp(axes)(a)


def softmax(a: Tensor, axis: int = -1) -> Tensor:
    return Softmax(axis)(a)


def logsoftmax(a: Tensor, axis: int = -1) -> Tensor:
    return LogSoftmax(axis)(a)
