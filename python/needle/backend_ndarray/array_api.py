"""The functions of `needle.backend_ndarray`: make arrays, and the methods of NDArray as functions.

`sum_` carries its underscore here only, so that Python's own is not hidden; the package exports it as `sum`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from .conversion import as_scalar, check_dtype
from .device import BackendDevice
from .ndarray import NDArray


def array(a: Any, dtype: Any = "float32", device: BackendDevice | None = None) -> NDArray:
    """Return a new array with the values of an array, a NumPy array, a number or nested lists.

    Errors: TypeError and ValueError for values that float32 cannot stand for (see conversion.py).
    """
    check_dtype("array", dtype)
    return NDArray(a, device=device)


def empty(shape: Any, dtype: Any = "float32", device: BackendDevice | None = None) -> NDArray:
    """Return a new array with whatever values its memory holds."""
    check_dtype("empty", dtype)
    return NDArray.make(shape, device=device)


def full(shape: Any, fill_value: float, dtype: Any = "float32", device: BackendDevice | None = None) -> NDArray:
    """Return a new array with one value everywhere."""
    value = as_scalar("full", fill_value)
    out = empty(shape, dtype, device)
    out.fill(value)
    return out


def broadcast_to(array: NDArray, new_shape: Any) -> NDArray:
    """See NDArray.broadcast_to."""
    return array.broadcast_to(new_shape)


def reshape(array: NDArray, new_shape: Any) -> NDArray:
    """See NDArray.reshape."""
    return array.reshape(new_shape)


def maximum(a: NDArray, b: NDArray | float) -> NDArray:
    """See NDArray.maximum."""
    return a.maximum(b)


def log(a: NDArray) -> NDArray:
    """Return the natural logarithm of each element."""
    return a.log()


def exp(a: NDArray) -> NDArray:
    """Return e to the power of each element."""
    return a.exp()


def tanh(a: NDArray) -> NDArray:
    """Return the hyperbolic tangent of each element."""
    return a.tanh()


def sum_(a: NDArray, axis: int | Iterable[int] | None = None, keepdims: bool = False) -> NDArray:
    """See NDArray.sum."""
    return a.sum(axis=axis, keepdims=keepdims)


def flip(a: NDArray, axes: int | Iterable[int]) -> NDArray:
    """See NDArray.flip."""
    return a.flip(axes)


def prod(x: Iterable[int]) -> int:
    """Return the product of numbers: the element count of a shape."""
    return math.prod(x)
