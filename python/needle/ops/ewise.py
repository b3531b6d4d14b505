"""Operators on elements: two tensors of one shape, or one tensor.

NumPy arrays broadcast as NumPy does, and the gradient is summed back; NDArrays need equal shapes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array_kind import Array, is_numpy
from ..autograd import Tensor, TensorOp
from ..unfinished import unfinished  # noqa: F401  (what an unwritten exercise raises)
from . import arrays


def check_shapes(op_name: str, a: Array, b: Array) -> None:
    """Refuse shapes that the element-wise rule does not allow, before the backend sees them."""
    if tuple(a.shape) == tuple(b.shape):
        return
    if not is_numpy(a):
        raise ValueError(f"{op_name}: shapes {a.shape} and {b.shape} must be equal; use broadcast_to on one of them")
    try:
        np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        raise ValueError(f"{op_name}: shapes {a.shape} and {b.shape} neither agree nor broadcast") from None


def sum_to_shape(grad: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Undo a broadcast: sum over the axes that were added in front or grew from length 1, and give `shape` back."""
    if grad.shape == shape:
        return grad
    # BEGIN SOLUTION sum_to_shape.autograd
    added = grad.ndim - len(shape)
    grown = [added + axis for axis, length in enumerate(shape) if length == 1 and grad.shape[added + axis] != 1]
    axes = (*range(added), *grown)
    return (grad.sum(axes) if axes else grad).reshape(shape)
    # END SOLUTION sum_to_shape.autograd


class EWiseOp(TensorOp):
    """Two operands: gradients come from `partials`, and are summed back to the operands' shapes here."""

    def compute(self, a: Array, b: Array) -> Array:
        check_shapes(self.name, a, b)
        return self.combine(a, b)

    def combine(self, a: Array, b: Array) -> Array:
        """The result's elements from those of both operands."""
        raise NotImplementedError

    def gradient(self, out_grad: Tensor, node: Any) -> tuple[Tensor, ...]:
        return tuple(
            sum_to_shape(grad, value.shape)
            for grad, value in zip(self.partials(out_grad, *node.inputs), node.inputs, strict=True)
        )

    def partials(self, out_grad: Tensor, a: Any, b: Any) -> tuple[Tensor, Tensor]:
        """out_grad times the derivative by a, and by b; each of the result's shape."""
        raise NotImplementedError


class EWiseAdd(EWiseOp):
    name = "add"

    def combine(self, a: Array, b: Array) -> Array:
        return a + b

    def partials(self, out_grad: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
        return out_grad, out_grad


class EWiseMul(EWiseOp):
    """a * b."""

    name = "multiply"

    def combine(self, a: Array, b: Array) -> Array:
        # BEGIN SOLUTION ewise.autograd
        return a * b
        # END SOLUTION ewise.autograd

    def partials(self, out_grad: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
        # BEGIN SOLUTION ewise.autograd
        return out_grad * b, out_grad * a
        # END SOLUTION ewise.autograd


class EWiseDiv(EWiseOp):
    """a / b."""

    name = "divide"

    def combine(self, a: Array, b: Array) -> Array:
        # BEGIN SOLUTION ewise.autograd
        return arrays.divide(a, b)
        # END SOLUTION ewise.autograd

    def partials(self, out_grad: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
        # BEGIN SOLUTION ewise.autograd
        by_a = out_grad / b
        return by_a, -by_a * (a / b)
        # END SOLUTION ewise.autograd


class EWiseMaximum(EWiseOp):
    """The larger of two; equal elements share the gradient evenly."""

    name = "maximum"

    def combine(self, a: Array, b: Array) -> Array:
        # BEGIN SOLUTION ewise.autograd
        return arrays.maximum(a, b)
        # END SOLUTION ewise.autograd

    def partials(self, out_grad: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
        # BEGIN SOLUTION ewise.autograd
        # 1 where a > b, 1/2 where a = b, 0 where a < b
        share = ((a >= b) - (b >= a) + 1.0) * 0.5
        return out_grad * share, out_grad * (1.0 - share)
        # END SOLUTION ewise.autograd


class Negate(TensorOp):
    """-a."""

    name = "negate"

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION ewise.autograd
        return -a
        # END SOLUTION ewise.autograd

    def gradient(self, out_grad: Tensor, node: Tensor) -> Tensor:
        # BEGIN SOLUTION ewise.autograd
        return -out_grad
        # END SOLUTION ewise.autograd


class Log(TensorOp):
    """The natural logarithm of a."""

    name = "log"

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION ewise.autograd
        return arrays.log(a)
        # END SOLUTION ewise.autograd

    def gradient(self, out_grad: Tensor, node: Any) -> Tensor:
        # BEGIN SOLUTION ewise.autograd
        return out_grad / node.inputs[0]
        # END SOLUTION ewise.autograd


class Exp(TensorOp):
    """e^a."""

    name = "exp"

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION ewise.autograd
        return arrays.exp(a)
        # END SOLUTION ewise.autograd

    def gradient(self, out_grad: Tensor, node: Tensor) -> Tensor:
        # BEGIN SOLUTION ewise.autograd
        return out_grad * node
        # END SOLUTION ewise.autograd


class Tanh(TensorOp):
    """The hyperbolic tangent of a."""

    name = "tanh"

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION ewise.autograd
        return arrays.tanh(a)
        # END SOLUTION ewise.autograd

    def gradient(self, out_grad: Tensor, node: Tensor) -> Tensor:
        # BEGIN SOLUTION ewise.autograd
        return out_grad * (1.0 - node * node)
        # END SOLUTION ewise.autograd


def add(a: Tensor, b: Tensor) -> Tensor:
    return EWiseAdd()(a, b)


def multiply(a: Tensor, b: Tensor) -> Tensor:
    return EWiseMul()(a, b)


def divide(a: Tensor, b: Tensor) -> Tensor:
    return EWiseDiv()(a, b)


def maximum(a: Tensor, b: Tensor) -> Tensor:
    return EWiseMaximum()(a, b)


def negate(a: Tensor) -> Tensor:
    return Negate()(a)


def log(a: Tensor) -> Tensor:
    return Log()(a)


def exp(a: Tensor) -> Tensor:
    return Exp()(a)


def tanh(a: Tensor) -> Tensor:
    return Tanh()(a)
