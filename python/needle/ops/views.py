"""Operators that move no number to another value: other shapes, other orders, repeated elements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..array_kind import Array
from ..autograd import Tensor, TensorOp
from ..unfinished import unfinished  # noqa: F401  (what an unwritten exercise raises)
from . import arrays
from .ewise import sum_to_shape


def as_shape(op_name: str, shape: Any) -> tuple[int, ...]:
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    if not all(hasattr(length, "__index__") for length in lengths):
        raise TypeError(f"{op_name}: a shape must consist of ints, not {lengths}")
    return tuple(int(length) for length in lengths)


class Transpose(TensorOp):
    """Swaps two axes, by default the last two."""

    name = "transpose"

    def __init__(self, axes: Any = None):
        if axes is not None and len(tuple(axes)) != 2:
            raise ValueError(f"transpose: swaps two axes, but axes = {tuple(axes)}; use permute for a whole order")
        self.axes = axes

    def compute(self, a: Array) -> Array:
        if a.ndim < 2:
            raise ValueError(f"transpose: shape {tuple(a.shape)} has fewer than two axes")
        # BEGIN SOLUTION views.autograd
        order = list(range(a.ndim))
        pair = (-2, -1) if self.axes is None else tuple(self.axes)
        first, second = (arrays.normalize_axes(self.name, axis, a.ndim, a.shape)[0] for axis in pair)
        order[first], order[second] = order[second], order[first]
        return arrays.permute(a, order)
        # END SOLUTION views.autograd

    def gradient(self, out_grad: Tensor, node: Tensor) -> Tensor:
        # BEGIN SOLUTION views.autograd
        return transpose(out_grad, self.axes)
        # END SOLUTION views.autograd


class Permute(TensorOp):
    """Puts the axes into the given order."""

    name = "permute"

    def __init__(self, axes: Sequence[int]):
        self.axes = tuple(axes)

    def compute(self, a: Array) -> Array:
        if arrays.normalize_axes(self.name, self.axes, a.ndim, a.shape) != tuple(range(a.ndim)):
            raise ValueError(f"permute: axes {self.axes} must name each axis of shape {tuple(a.shape)} once")
        return arrays.permute(a, self._order(a.ndim))

    def _order(self, ndim: int) -> list[int]:
        return [axis % ndim for axis in self.axes]

    def gradient(self, out_grad: Tensor, node: Tensor) -> Tensor:
        # BEGIN SOLUTION views.autograd
        order = self._order(out_grad.ndim)
        return permute(out_grad, [order.index(axis) for axis in range(len(order))])
        # END SOLUTION views.autograd


class Reshape(TensorOp):
    """The same elements in row-major order under another shape; one length may be -1."""

    name = "reshape"

    def __init__(self, shape: Any):
        self.shape = as_shape(self.name, shape)

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION views.autograd
        return arrays.reshape(a, self._lengths(tuple(a.shape)))
        # END SOLUTION views.autograd

    def _lengths(self, old: tuple[int, ...]) -> tuple[int, ...]:
        size, known = math.prod(old), math.prod(length for length in self.shape if length != -1)
        unknown = self.shape.count(-1)
        if unknown == 1 and known > 0 and size % known == 0:
            return tuple(size // known if length == -1 else length for length in self.shape)
        if unknown or min(self.shape, default=0) < 0 or known != size:
            raise ValueError(f"reshape: {old} has {size} elements, which do not fit {self.shape}")
        return self.shape

    def gradient(self, out_grad: Tensor, node: Any) -> Tensor:
        # BEGIN SOLUTION views.autograd
        return reshape(out_grad, node.inputs[0].shape)
        # END SOLUTION views.autograd


class BroadcastTo(TensorOp):
    """Repeats along axes of length 1 and along new axes in front, as NumPy does."""

    name = "broadcast_to"

    def __init__(self, shape: Any):
        self.shape = as_shape(self.name, shape)

    def compute(self, a: Array) -> Array:
        old, added = tuple(a.shape), len(self.shape) - a.ndim
        if added < 0 or any(
            length not in (1, new) for length, new in zip(old, self.shape[max(added, 0) :], strict=True)
        ):
            raise ValueError(
                f"broadcast_to: {old} does not broadcast to {self.shape}; counted from the last axis, "
                "each length must be 1 or equal"
            )
        return arrays.broadcast_to(a, self.shape)

    def gradient(self, out_grad: Tensor, node: Any) -> Tensor:
        # BEGIN SOLUTION views.autograd
        return sum_to_shape(out_grad, node.inputs[0].shape)
        # END SOLUTION views.autograd


class Flip(TensorOp):
    """Reverses axes; None means all of them."""

    name = "flip"

    def __init__(self, axes: Any = None):
        self.axes = axes

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION views.autograd
        return arrays.flip(a, arrays.normalize_axes(self.name, self.axes, a.ndim, a.shape))
        # END SOLUTION views.autograd

    def gradient(self, out_grad: Tensor, node: Tensor) -> Tensor:
        # BEGIN SOLUTION views.autograd
        return flip(out_grad, self.axes)
        # END SOLUTION views.autograd


def transpose(a: Tensor, axes: Any = None) -> Tensor:
    return Transpose(axes)(a)


def permute(a: Tensor, axes: Sequence[int]) -> Tensor:
    return Permute(axes)(a)


def reshape(a: Tensor, shape: Any) -> Tensor:
    return Reshape(shape)(a)


def broadcast_to(a: Tensor, shape: Any) -> Tensor:
    return BroadcastTo(shape)(a)


def flip(a: Tensor, axes: Any = None) -> Tensor:
    return Flip(axes)(a)
