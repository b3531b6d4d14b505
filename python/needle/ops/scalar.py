"""Operators between a tensor and a number."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from ..array_kind import Array
from ..autograd import Tensor, TensorOp
from ..unfinished import unfinished  # noqa: F401  (what an unwritten exercise raises)
from . import arrays


def as_number(op_name: str, scalar: Any) -> int | float:
    """A Python number: a NumPy scalar would promote float32 arrays to float64."""
    if isinstance(scalar, (np.ndarray, np.generic)) and scalar.size == 1:
        scalar = scalar.item()
    if not isinstance(scalar, numbers.Real):
        raise TypeError(f"{op_name}: the scalar must be a number, not {type(scalar).__name__}")
    return scalar if isinstance(scalar, (int, float)) else float(scalar)


class ScalarOp(TensorOp):
    """One tensor, and one number that is part of the op."""

    def __init__(self, scalar: Any):
        self.scalar = as_number(self.name, scalar)


class AddScalar(ScalarOp):
    name = "add_scalar"

    def compute(self, a: Array) -> Array:
        return a + self.scalar

    def gradient(self, out_grad: Tensor, node: Tensor) -> Tensor:
        return out_grad


class MulScalar(ScalarOp):
    """a * scalar."""

    name = "mul_scalar"

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION scalar.autograd
        return a * self.scalar
        # END SOLUTION scalar.autograd

    def gradient(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor]:
        # BEGIN SOLUTION scalar.autograd
        return (out_grad * self.scalar,)
        # END SOLUTION scalar.autograd


class DivScalar(ScalarOp):
    """a / scalar."""

    name = "divide_scalar"

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION scalar.autograd
        return arrays.divide(a, self.scalar)
        # END SOLUTION scalar.autograd

    def gradient(self, out_grad: Tensor, node: Tensor) -> Tensor:
        # BEGIN SOLUTION scalar.autograd
        return out_grad / self.scalar
        # END SOLUTION scalar.autograd


class PowerScalar(ScalarOp):
    """a^s; the gradient of x^0 is 0, also at x = 0, where s * a^(s-1) would be 0 * inf."""

    name = "power_scalar"

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION scalar.autograd
        return arrays.scalar_power(a, self.scalar)
        # END SOLUTION scalar.autograd

    def gradient(self, out_grad: Tensor, node: Any) -> Tensor:
        # BEGIN SOLUTION scalar.autograd
        if self.scalar == 0:
            return Tensor.make_const(arrays.full(out_grad.shape, 0.0, out_grad.realize_cached_data()))
        return out_grad * (node.inputs[0] ** (self.scalar - 1) * self.scalar)
        # END SOLUTION scalar.autograd


class MaximumScalar(ScalarOp):
    """The larger of an element and the number; where they are equal, half of the gradient passes."""

    name = "maximum_scalar"

    def compute(self, a: Array) -> Array:
        # BEGIN SOLUTION scalar.autograd
        return arrays.maximum(a, self.scalar)
        # END SOLUTION scalar.autograd

    def gradient(self, out_grad: Tensor, node: Any) -> Tensor:
        # BEGIN SOLUTION scalar.autograd
        a = node.inputs[0]
        return out_grad * (((a >= self.scalar) - (a <= self.scalar) + 1.0) * 0.5)
        # END SOLUTION scalar.autograd


def add_scalar(a: Tensor, scalar: Any) -> Tensor:
    return AddScalar(scalar)(a)


def mul_scalar(a: Tensor, scalar: Any) -> Tensor:
    return MulScalar(scalar)(a)


def divide_scalar(a: Tensor, scalar: Any) -> Tensor:
    return DivScalar(scalar)(a)


def power_scalar(a: Tensor, scalar: Any) -> Tensor:
    return PowerScalar(scalar)(a)


def maximum_scalar(a: Tensor, scalar: Any) -> Tensor:
    return MaximumScalar(scalar)(a)
