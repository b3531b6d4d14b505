"""Gives Tensor and TensorTuple their operators and methods; importing `needle.ops` calls `install` once.

Both directions are written out: `1 - x` is not `x - 1`, and no gradient check would notice the difference.
"""

from __future__ import annotations

import math
from typing import Any

from ..autograd import Tensor, TensorTuple
from ..unfinished import unfinished  # noqa: F401  (what an unwritten exercise raises)
from . import activations, compare, ewise, reduce, scalar, views
from . import tuple as tuples
from .matmul import matmul
from .power import power as ewise_power


def add(a: Tensor, b: Any) -> Tensor:
    return ewise.add(a, b) if isinstance(b, Tensor) else scalar.add_scalar(a, b)


def subtract(a: Tensor, b: Any) -> Tensor:
    """a - b, for a tensor or a number b."""
    # BEGIN SOLUTION operators.autograd
    return ewise.add(a, ewise.negate(b)) if isinstance(b, Tensor) else scalar.add_scalar(a, -b)
    # END SOLUTION operators.autograd


def subtract_from(a: Tensor, b: Any) -> Tensor:
    """b - a."""
    # BEGIN SOLUTION operators.autograd
    return scalar.add_scalar(ewise.negate(a), b)
    # END SOLUTION operators.autograd


def multiply(a: Tensor, b: Any) -> Tensor:
    return ewise.multiply(a, b) if isinstance(b, Tensor) else scalar.mul_scalar(a, b)


def divide(a: Tensor, b: Any) -> Tensor:
    return ewise.divide(a, b) if isinstance(b, Tensor) else scalar.divide_scalar(a, b)


def divide_from(a: Tensor, b: Any) -> Tensor:
    """b / a."""
    # BEGIN SOLUTION operators.autograd
    return scalar.mul_scalar(scalar.power_scalar(a, -1.0), b)
    # END SOLUTION operators.autograd


def power(a: Tensor, b: Any) -> Tensor:
    return ewise_power(a, b) if isinstance(b, Tensor) else scalar.power_scalar(a, b)


def power_from(a: Tensor, b: Any) -> Tensor:
    """b ** a, for a number b > 0."""
    if not b > 0:
        raise ValueError(f"power: the base {b} must be positive when the exponent is a tensor")
    # BEGIN SOLUTION operators.autograd
    return ewise.exp(scalar.mul_scalar(a, math.log(b)))
    # END SOLUTION operators.autograd


def reshape(a: Tensor, *shape: Any) -> Tensor:
    """Takes `reshape((2, 3))` and `reshape(2, 3)`."""
    return views.reshape(a, shape[0] if len(shape) == 1 else shape)


def add_tuples(a: TensorTuple, b: TensorTuple) -> TensorTuple:
    if not isinstance(b, TensorTuple) or len(a) != len(b):
        raise ValueError("add: both sides must be TensorTuples of one length")
    return tuples.make_tuple(*[left + right for left, right in zip(a, b, strict=True)])


OPERATORS: dict[str, Any] = {
    "__add__": add,
    "__radd__": add,
    "__sub__": subtract,
    "__rsub__": subtract_from,
    "__mul__": multiply,
    "__rmul__": multiply,
    "__truediv__": divide,
    "__rtruediv__": divide_from,
    "__pow__": power,
    "__rpow__": power_from,
    "__matmul__": matmul,
    "__neg__": ewise.negate,
    "__abs__": activations.absolute,
    "__lt__": compare.less,
    "__le__": compare.less_equal,
    "__gt__": compare.greater,
    "__ge__": compare.greater_equal,
}

METHODS: dict[str, Any] = {
    "eq": compare.equal,
    "ge": compare.greater_equal,
    "matmul": matmul,
    "sum": reduce.summation,
    "mean": reduce.mean,
    "max": reduce.reduce_max,
    "min": reduce.reduce_min,
    "sqrt": activations.sqrt,
    "abs": activations.absolute,
    "exp": ewise.exp,
    "log": ewise.log,
    "tanh": ewise.tanh,
    "clip": activations.clip,
    "broadcast_to": views.broadcast_to,
    "reshape": reshape,
    "transpose": views.transpose,
}


def install() -> None:
    """Set the operators on the two classes; a second call changes nothing."""
    for name, function in {**OPERATORS, **METHODS}.items():
        setattr(Tensor, name, function)
    # A NumPy array on the left side would otherwise take the tensor for one of its elements.
    Tensor.__array_ufunc__ = None  # type: ignore[attr-defined]
    TensorTuple.__getitem__ = tuples.tuple_get_item  # type: ignore[method-assign]
    TensorTuple.__add__ = add_tuples  # type: ignore[method-assign]
