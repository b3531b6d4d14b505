"""Element-wise functions with a bend or a limit: relu, sigmoid, absolute value, clip, square root."""

from __future__ import annotations

from typing import Any

from ..array_kind import Array
from ..autograd import Tensor, TensorOp
from ..unfinished import unfinished  # noqa: F401  (what an unwritten exercise raises)
from . import arrays
from .scalar import maximum_scalar


class ReLU(TensorOp):
    """max(a, 0), with derivative 0 at 0."""

    name = "relu"

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION activations.autograd
        return arrays.maximum(a, 0.0)
        # END SOLUTION activations.autograd

    def gradient(self, out_grad: Tensor, node: Tensor) -> Tensor:
        # BEGIN SOLUTION activations.autograd
        return out_grad * (node > 0.0)
        # END SOLUTION activations.autograd


class Sigmoid(TensorOp):
    """1 / (1 + e^-a) with no positive exponent: nothing overflows, and small results keep their digits."""

    name = "sigmoid"

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION activations.autograd
        negative_part = -arrays.maximum(-a, 0.0)
        return arrays.divide(arrays.exp(negative_part), arrays.exp(-arrays.maximum(a, -a)) + 1.0)
        # END SOLUTION activations.autograd

    def gradient(self, out_grad: Tensor, node: Any) -> Tensor:
        # BEGIN SOLUTION activations.autograd
        return out_grad * node * sigmoid(-node.inputs[0])  # 1 - sigmoid(a) is sigmoid(-a), without cancellation
        # END SOLUTION activations.autograd


class Abs(TensorOp):
    """|a|, with derivative 0 at 0."""

    name = "abs"

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION activations.autograd
        return arrays.maximum(a, -a)
        # END SOLUTION activations.autograd

    def gradient(self, out_grad: Tensor, node: Any) -> Tensor:
        # BEGIN SOLUTION activations.autograd
        a = node.inputs[0]
        return out_grad * ((a >= 0.0) - (a <= 0.0))
        # END SOLUTION activations.autograd


def relu(a: Tensor) -> Tensor:
    return ReLU()(a)


def sigmoid(a: Tensor) -> Tensor:
    return Sigmoid()(a)


def absolute(a: Tensor) -> Tensor:
    return Abs()(a)


def sqrt(a: Tensor) -> Tensor:
    return a**0.5


def clip(a: Tensor, low: float, high: float) -> Tensor:
    """Elements below `low` become low, those above `high` become high; half of the gradient passes at the limits."""
    if not low <= high:
        raise ValueError(f"clip: low must not exceed high, got {low} and {high}")
    return -maximum_scalar(-maximum_scalar(a, low), -high)
