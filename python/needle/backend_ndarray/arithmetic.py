"""What NDArray computes: operators, reductions, the matrix product. Each compacts its operands and calls one kernel.

`x + 1` goes: `__add__` picks ewise_add and scalar_add of the array's device; `ewise_or_scalar` makes the result,
compacts the operand and calls scalar_add(handle, 1, result's handle).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from .conversion import as_scalar, is_scalar
from .layout import normalize_axes
from .power import power

if TYPE_CHECKING:
    from .ndarray import NDArray

Axes = int | Iterable[int]


class Arithmetic:
    """The operators of NDArray, which inherits them.

    Shapes: element-wise operators take two arrays of equal shape, or an array and a number; nothing is broadcast.
    Memory: every result is a new compact array on the same device.
    Errors: ValueError for different shapes or devices and for numbers beyond float32, TypeError for anything else.
    """

    @property
    def _self(self) -> NDArray:
        return cast("NDArray", self)

    def ewise_or_scalar(self, other: Any, ewise_func: Callable[..., None], scalar_func: Callable[..., None]) -> NDArray:
        """Return the element-wise function of two arrays, or of an array and a number."""
        a = self._self
        if is_scalar(other):
            value = as_scalar(scalar_func.__name__, other)
            out = a.make(a.shape, device=a.device)
            scalar_func(a.compact()._handle, value, out._handle)
            return out
        if isinstance(other, np.ndarray):
            raise TypeError(f"{ewise_func.__name__}: make the NumPy array an NDArray first: nd.array(x)")
        if not isinstance(other, Arithmetic):
            return cast("NDArray", NotImplemented)
        op, b = ewise_func.__name__, other._self
        a._check_device(op, b)
        if a.shape != b.shape:
            raise ValueError(f"{op}: shapes must be equal, but they are {a.shape} and {b.shape}; use broadcast_to")
        out = a.make(a.shape, device=a.device)
        ewise_func(a.compact()._handle, b.compact()._handle, out._handle)
        return out

    def _map(self, function: Callable[..., None]) -> NDArray:
        a = self._self
        out = a.make(a.shape, device=a.device)
        function(a.compact()._handle, out._handle)
        return out

    def __add__(self, other: Any) -> NDArray:
        device = self._self.device
        return self.ewise_or_scalar(other, device.ewise_add, device.scalar_add)

    __radd__ = __add__

    def __mul__(self, other: Any) -> NDArray:
        device = self._self.device
        return self.ewise_or_scalar(other, device.ewise_mul, device.scalar_mul)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> NDArray:
        device = self._self.device
        return self.ewise_or_scalar(other, device.ewise_div, device.scalar_div)

    def __rtruediv__(self, other: Any) -> NDArray:
        return self._constant(other) / self if is_scalar(other) else NotImplemented

    def __neg__(self) -> NDArray:
        return self * -1

    def __sub__(self, other: Any) -> NDArray:
        return self + _negated(other) if _is_operand(other) else NotImplemented

    def __rsub__(self, other: Any) -> NDArray:
        return -self + other if _is_operand(other) else NotImplemented

    def __pow__(self, other: Any) -> NDArray:
        """Raise each element to the power of a number, or of the other array's element; NaN where that is not real.

        Errors: NotImplementedError for two arrays on a device without the optional ewise_power.
        """
        if isinstance(other, Arithmetic):
            return power(self._self, other._self)
        if not is_scalar(other):
            return NotImplemented
        device = self._self.device
        return self.ewise_or_scalar(other, device.scalar_power, device.scalar_power)

    def maximum(self, other: Any) -> NDArray:
        """Return the larger of each two elements, or of each element and a number; NaN where one of them is NaN."""
        device = self._self.device
        return self._operand_or_error("maximum", other, device.ewise_maximum, device.scalar_maximum)

    def _operand_or_error(self, op: str, other: Any, *functions: Callable[..., None]) -> NDArray:
        if not _is_operand(other):
            raise TypeError(f"{op}: the other operand must be an NDArray or a number, not {type(other).__name__}")
        return self.ewise_or_scalar(other, *functions)

    def log(self) -> NDArray:
        """Return the natural logarithm of each element: -inf for 0, NaN below."""
        return self._map(self._self.device.ewise_log)

    def exp(self) -> NDArray:
        """Return e to the power of each element."""
        return self._map(self._self.device.ewise_exp)

    def tanh(self) -> NDArray:
        """Return the hyperbolic tangent of each element."""
        return self._map(self._self.device.ewise_tanh)

    # Comparisons: arrays of 0.0 and 1.0. All but == and >= are put together from these two, so that every comparison
    # with NaN is false, and != is true.

    def __eq__(self, other: object) -> NDArray:  # type: ignore[override]
        device = self._self.device
        return self.ewise_or_scalar(other, device.ewise_eq, device.scalar_eq)

    __hash__ = None  # type: ignore[assignment]  # an array that compares element by element has no hash

    def __ne__(self, other: object) -> NDArray:  # type: ignore[override]
        return 1 - (self == other) if _is_operand(other) else NotImplemented  # type: ignore[operator]

    def __ge__(self, other: Any) -> NDArray:
        device = self._self.device
        return self.ewise_or_scalar(other, device.ewise_ge, device.scalar_ge)

    def __le__(self, other: Any) -> NDArray:
        return -self >= _negated(other) if _is_operand(other) else NotImplemented

    def __gt__(self, other: Any) -> NDArray:
        return (self >= other) * (self != other) if _is_operand(other) else NotImplemented

    def __lt__(self, other: Any) -> NDArray:
        return (self <= other) * (self != other) if _is_operand(other) else NotImplemented

    # Reductions

    def sum(self, axis: Axes | None = None, keepdims: bool = False) -> NDArray:
        """Return the sum over one or several axes, or over all of them.

        Shapes: the axes disappear, or stay with length 1 (`keepdims`); without `axis` the result has shape (1,).
        Errors: ValueError for an axis that does not exist, is named twice, or for none at all.
        """
        return self._reduce(self._self.device.reduce_sum, axis, keepdims)

    def max(self, axis: Axes | None = None, keepdims: bool = False) -> NDArray:
        """Return the maximum over axes, as `sum` does; NaN where one element is NaN.

        Errors: as sum, and ValueError for the maximum of no elements.
        """
        return self._reduce(self._self.device.reduce_max, axis, keepdims)

    def _reduce(self, function: Callable[..., None], axis: Axes | None, keepdims: bool) -> NDArray:
        a = self._self
        axes = tuple(range(a.ndim)) if axis is None else normalize_axes(axis, a.ndim)
        if axis is not None and not axes:
            raise ValueError(f"{function.__name__}: axis {axis} names no axis")
        kept = tuple(i for i in range(a.ndim) if i not in axes)
        # The kernel reduces runs of consecutive elements: move the axes to the end, then copy in that order.
        runs = a.permute((*kept, *axes)).compact()
        shape = (1,) if axis is None else tuple(a.shape[i] for i in kept)
        out = a.make(shape, device=a.device)
        function(runs._handle, out._handle, math.prod(a.shape[i] for i in axes))
        if keepdims and axis is not None:
            return out.reshape(tuple(1 if i in axes else length for i, length in enumerate(a.shape)))
        return out

    # The matrix product

    def __matmul__(self, other: Any) -> NDArray:
        """Return the product of two matrices, (m, n) @ (n, p) -> (m, p).

        Where the device has matmul_tiled and m, n, p are multiples of its tile size, the product is made of tiles.
        Errors: ValueError unless both have two axes and the inner lengths agree.
        """
        if not isinstance(other, Arithmetic):
            return NotImplemented
        a, b, device = self._self, other._self, self._self.device
        a._check_device("matmul", b)
        if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0]:
            raise ValueError(f"matmul: shapes must be (m, n) and (n, p), but they are {a.shape} and {b.shape}")
        (m, n), p = a.shape, b.shape[1]
        if hasattr(device, "matmul_tiled") and not any(length % device.__tile_size__ for length in (m, n, p)):
            return self._matmul_tiled(b, device.__tile_size__)
        out = a.make((m, p), device=device)
        device.matmul(a.compact()._handle, b.compact()._handle, out._handle, m, n, p)
        return out

    def _matmul_tiled(self, b: NDArray, tile: int) -> NDArray:
        a = self._self
        (m, n), p = a.shape, b.shape[1]
        out = a.make((m // tile, p // tile, tile, tile), device=a.device)
        a.device.matmul_tiled(_tiles(a, tile)._handle, _tiles(b, tile)._handle, out._handle, m, n, p)
        return out.permute((0, 2, 1, 3)).compact().reshape((m, p))

    def _constant(self, value: Any) -> NDArray:
        """An array like this one with one value everywhere."""
        out = self._self.make(self._self.shape, device=self._self.device)
        out.fill(value)
        return out


def _tiles(matrix: NDArray, tile: int) -> NDArray:
    """Copy a matrix tile by tile: (rows/tile, columns/tile, tile, tile), so that each tile lies together."""
    rows, columns = matrix.shape
    shape = (rows // tile, columns // tile, tile, tile)
    return matrix.compact().as_strided(shape, (columns * tile, tile, columns, 1)).compact()


def _is_operand(value: Any) -> bool:
    """Tell what `ewise_or_scalar` has an answer for; for a NumPy array it is an error with a next step."""
    return isinstance(value, Arithmetic | np.ndarray) or is_scalar(value)


def _negated(operand: Any) -> Any:
    """Return -operand; a NumPy scalar becomes a float first, since -uint8(3) is 253."""
    return -as_scalar("negation", operand) if is_scalar(operand) else -operand
