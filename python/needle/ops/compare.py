"""Comparisons: 1 where true, else 0, as constants. A comparison with NaN is false, equality included."""

from __future__ import annotations

from typing import Any

from ..array_kind import Array
from ..autograd import Tensor, TensorOp
from . import arrays
from .ewise import check_shapes
from .scalar import ScalarOp


class EWiseEq(TensorOp):
    name = "equal"
    differentiable = False

    def compute(self, a: Array, b: Array) -> Array:
        check_shapes(self.name, a, b)
        return arrays.equal(a, b)


class EWiseGe(TensorOp):
    name = "greater_equal"
    differentiable = False

    def compute(self, a: Array, b: Array) -> Array:
        check_shapes(self.name, a, b)
        return arrays.greater_equal(a, b)


class EqScalar(ScalarOp):
    name = "equal_scalar"
    differentiable = False

    def compute(self, a: Array) -> Array:
        return arrays.equal(a, self.scalar)


class GeScalar(ScalarOp):
    name = "greater_equal_scalar"
    differentiable = False

    def compute(self, a: Array) -> Array:
        return arrays.greater_equal(a, self.scalar)


def equal(a: Tensor, b: Any) -> Tensor:
    """[a = b] for a tensor or a number b."""
    return EWiseEq()(a, b) if isinstance(b, Tensor) else EqScalar(b)(a)


def greater_equal(a: Tensor, b: Any) -> Tensor:
    """[a >= b] for a tensor or a number b."""
    return EWiseGe()(a, b) if isinstance(b, Tensor) else GeScalar(b)(a)


def less_equal(a: Tensor, b: Any) -> Tensor:
    """[a <= b]; the contract has only >=, so the operands change places, or their signs do."""
    return greater_equal(b, a) if isinstance(b, Tensor) else greater_equal(-a, -b)


def greater(a: Tensor, b: Any) -> Tensor:
    """[a > b] = [a >= b] and not [a = b]: unlike 1 - [b >= a] it is 0 for NaN."""
    return greater_equal(a, b) * (1.0 - equal(a, b))


def less(a: Tensor, b: Any) -> Tensor:
    return less_equal(a, b) * (1.0 - equal(a, b))
