"""What operators need from an array, the same for NumPy arrays and NDArrays: ops follow the array that they get.

NDArray has a small contract (float32, equal shapes, one axis per reduction, 2-D products). What goes beyond it is
composed here from its methods, so that every backend gets it without a new kernel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..array_kind import Array, device_of, is_numpy

Shape = Sequence[int]


def normalize_axes(op_name: str, axes: Any, ndim: int, shape: Any) -> tuple[int, ...]:
    """Axes as a sorted tuple of numbers from 0 to ndim - 1; None means all of them."""
    if axes is None:
        return tuple(range(ndim))
    wanted = tuple(axes) if isinstance(axes, (tuple, list)) else (axes,)
    for axis in wanted:
        if not isinstance(axis, (int, np.integer)) or isinstance(axis, bool):
            raise TypeError(f"{op_name}: an axis must be an int, not {axis!r}")
        if not -ndim <= axis < ndim:
            raise ValueError(f"{op_name}: axis {axis} is outside shape {tuple(shape)}, which has {ndim} axes")
    found = sorted(int(axis) % ndim for axis in wanted)
    if len(set(found)) != len(found):
        raise ValueError(f"{op_name}: axes {wanted} name one axis twice")
    return tuple(found)


def full(shape: Shape, value: float, like: Array) -> Array:
    """A new array of the device and dtype of `like`."""
    return device_of(like).full(tuple(shape), value, dtype=like.dtype)


def reshape(a: Array, shape: Shape) -> Array:
    return a.reshape(tuple(shape)) if is_numpy(a) else a.compact().reshape(tuple(shape))


def permute(a: Array, axes: Sequence[int]) -> Array:
    return np.transpose(a, axes) if is_numpy(a) else a.permute(tuple(axes))


def broadcast_to(a: Array, shape: Shape) -> Array:
    return np.broadcast_to(a, tuple(shape)) if is_numpy(a) else a.broadcast_to(tuple(shape))


def compact(a: Array) -> Array:
    return np.ascontiguousarray(a).reshape(a.shape) if is_numpy(a) else a.compact()


def flip(a: Array, axes: Sequence[int]) -> Array:
    """A copy with these axes reversed."""
    if is_numpy(a):
        return np.flip(a, tuple(axes)).copy()
    return a.flip(tuple(axes)) if axes else a


def maximum(a: Array, b: Any) -> Array:
    return np.maximum(a, b) if is_numpy(a) else a.maximum(b)


def equal(a: Array, b: Any) -> Array:
    """1 where equal, else 0, in the dtype of a."""
    return np.equal(a, b).astype(a.dtype) if is_numpy(a) else a == b


def greater_equal(a: Array, b: Any) -> Array:
    return np.greater_equal(a, b).astype(a.dtype) if is_numpy(a) else a >= b


def log(a: Array) -> Array:
    if not is_numpy(a):
        return a.log()
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(a)


def exp(a: Array) -> Array:
    if not is_numpy(a):
        return a.exp()
    with np.errstate(over="ignore"):
        return np.exp(a)


def tanh(a: Array) -> Array:
    return np.tanh(a) if is_numpy(a) else a.tanh()


def divide(a: Array, b: Any) -> Array:
    if not is_numpy(a):
        return a / b
    with np.errstate(divide="ignore", invalid="ignore"):
        return a / b


def scalar_power(a: Array, exponent: float) -> Array:
    if not is_numpy(a):
        return a**exponent
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return a**exponent


def power(a: Array, b: Array) -> Array:
    """a to the power b, element by element; for NDArrays an optional function of the backend."""
    if is_numpy(a):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return a**b
    return a**b


def reduce_sum(a: Array, axes: Sequence[int] | None, keepdims: bool = False) -> Array:
    """The sum over axes; None (all axes) gives shape () for NumPy and (1,) for NDArrays, as the courses have it."""
    return np.sum(a, axis=axes, keepdims=keepdims) if is_numpy(a) else _reduce(a, "sum", axes, keepdims)


def reduce_max(a: Array, axes: Sequence[int] | None, keepdims: bool = False) -> Array:
    return np.max(a, axis=axes, keepdims=keepdims) if is_numpy(a) else _reduce(a, "max", axes, keepdims)


def _reduce(a: Array, method: str, axes: Sequence[int] | None, keepdims: bool) -> Array:
    """Reduce several axes of an NDArray at once: they are moved last and seen as one."""
    reduced = tuple(range(a.ndim)) if axes is None else tuple(axes)
    kept = tuple(axis for axis in range(a.ndim) if axis not in reduced)
    kept_shape = tuple(a.shape[axis] for axis in kept)
    length = math.prod(a.shape[axis] for axis in reduced)
    flat = a.permute(kept + reduced).compact().reshape((math.prod(kept_shape), length))
    result = getattr(flat, method)(axis=1)
    if keepdims:
        return result.reshape(tuple(1 if axis in reduced else a.shape[axis] for axis in range(a.ndim)))
    return result.reshape((1,) if axes is None else kept_shape)


def matmul(a: Array, b: Array) -> Array:
    """The product over the last two axes; NDArrays multiply one pair of matrices at a time."""
    if is_numpy(a):
        return a @ b
    if b.ndim == 2:  # all matrices of a have the same right side: they are the rows of one tall matrix
        rows = math.prod(a.shape[:-1])
        return (reshape(a, (rows, a.shape[-1])) @ b).reshape((*a.shape[:-1], b.shape[-1]))
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    (m, n), p = a.shape[-2:], b.shape[-1]
    count = math.prod(batch)
    left = reshape(broadcast_to(a, (*batch, m, n)), (count, m, n))
    right = reshape(broadcast_to(b, (*batch, n, p)), (count, n, p))
    out = full((count, m, p), 0.0, a)
    for i in range(count):
        out[i, :, :] = reshape(left[i, :, :], (m, n)) @ reshape(right[i, :, :], (n, p))
    return out.reshape((*batch, m, p))
