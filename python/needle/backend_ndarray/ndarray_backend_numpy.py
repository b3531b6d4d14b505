"""The specification: what every function of a backend computes, in NumPy. Given, never edited.

A kernel below takes flat NumPy arrays and trusts them; `@at_border` makes it the function of the contract, which takes
`Array` handles and checks first. Kernels work for every floating dtype: the tests run them in float64 to know the right
answer: `reduce_sum.kernel(a, out, 3)`, or `KERNELS["reduce_sum"]`; the caller then rounds numbers to float32 first.
All of them write the whole of `out` (setitem: the whole view of it). NaN propagates; comparisons give 0.0 or 1.0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import border, rules
from .border import Array, Flat, at_border, counters, reset_counters

__all__ = ["Array", "counters", "from_numpy", "reset_counters", "to_numpy"]  # and every function of the contract

__device_name__ = border.DEVICE
__max_rank__ = border.MAX_RANK

Shape = tuple[int, ...]


def view(flat: Flat, shape: Shape, strides: Shape, offset: int) -> npt.NDArray[Any]:
    """Look at a flat array through a layout: NumPy counts bytes where we count elements. Nothing is copied."""
    itemsize = flat.itemsize
    # Where no step is taken, a stride may be any number, also one that is too large in bytes.
    used = [length > 1 and 0 not in shape for length in shape]
    steps = tuple(stride * itemsize if step else 0 for step, stride in zip(used, strides, strict=True))
    return np.ndarray(shape, flat.dtype, flat, offset * itemsize, steps)


def to_numpy(a: Array, shape: Shape, strides: Shape, offset: int) -> npt.NDArray[np.float32]:
    """Look at a buffer as a NumPy array. It shares the buffer, so no byte moves; NDArray.numpy() copies."""
    given = border.check_arguments("to_numpy", (a, shape, strides, offset))
    layout = border.check_view("to_numpy", given, "a")
    return view(a.array, layout.shape, layout.strides, layout.offset)


def from_numpy(np_array: npt.ArrayLike, out: Array) -> None:
    """Copy an array into a buffer, in row-major order."""
    rules.check_handle("from_numpy", "out", out, Array, border.DEVICE)
    values = np.asarray(np_array, dtype=np.float32)
    rules.check_equal_sizes("from_numpy", "a", values.size, "out", out.size)
    out.array[:] = values.reshape(-1)
    border.count("bytes_from_host", values.nbytes)


@at_border
def fill(out: Flat, value: float) -> None:
    out[:] = value


@at_border
def compact(a: Flat, out: Flat, shape: Shape, strides: Shape, offset: int) -> None:
    out[:] = view(a, shape, strides, offset).reshape(-1)


@at_border
def ewise_setitem(a: Flat, out: Flat, shape: Shape, strides: Shape, offset: int) -> None:
    view(out, shape, strides, offset)[...] = a.reshape(shape)


@at_border
def scalar_setitem(size: int, value: float, out: Flat, shape: Shape, strides: Shape, offset: int) -> None:
    view(out, shape, strides, offset)[...] = value


def _ewise(name: str, function: Callable[[Flat, Flat], Flat]) -> Callable[..., None]:
    def kernel(a: Flat, b: Flat, out: Flat) -> None:
        out[:] = function(a, b)

    kernel.__name__ = kernel.__qualname__ = name
    return at_border(kernel)


def _scalar(name: str, function: Callable[[Flat, Flat], Flat]) -> Callable[..., None]:
    def kernel(a: Flat, value: float, out: Flat) -> None:
        out[:] = function(a, a.dtype.type(value))

    kernel.__name__ = kernel.__qualname__ = name
    return at_border(kernel)


def _unary(name: str, function: Callable[[Flat], Flat]) -> Callable[..., None]:
    def kernel(a: Flat, out: Flat) -> None:
        out[:] = function(a)

    kernel.__name__ = kernel.__qualname__ = name
    return at_border(kernel)


ewise_add = _ewise("ewise_add", np.add)
ewise_mul = _ewise("ewise_mul", np.multiply)
ewise_div = _ewise("ewise_div", np.divide)
ewise_maximum = _ewise("ewise_maximum", np.maximum)  # NaN if one of the two is NaN
ewise_eq = _ewise("ewise_eq", np.equal)
ewise_ge = _ewise("ewise_ge", np.greater_equal)

scalar_add = _scalar("scalar_add", np.add)
scalar_mul = _scalar("scalar_mul", np.multiply)
scalar_div = _scalar("scalar_div", np.divide)
scalar_power = _scalar("scalar_power", np.power)  # a ** value
scalar_maximum = _scalar("scalar_maximum", np.maximum)
scalar_eq = _scalar("scalar_eq", np.equal)
scalar_ge = _scalar("scalar_ge", np.greater_equal)

ewise_log = _unary("ewise_log", np.log)
ewise_exp = _unary("ewise_exp", np.exp)
ewise_tanh = _unary("ewise_tanh", np.tanh)


@at_border
def reduce_max(a: Flat, out: Flat, reduce_size: int) -> None:
    out[:] = a.reshape(out.size, reduce_size).max(axis=1)  # NaN if one of them is NaN


@at_border
def reduce_sum(a: Flat, out: Flat, reduce_size: int) -> None:
    out[:] = a.reshape(out.size, reduce_size).sum(axis=1, dtype=np.float64)


@at_border
def matmul(a: Flat, b: Flat, out: Flat, m: int, n: int, p: int) -> None:
    product = a.reshape(m, n).astype(np.float64) @ b.reshape(n, p).astype(np.float64)
    out[:] = product.reshape(-1)


def matmul_tiled_kernel(a: Flat, b: Flat, out: Flat, m: int, n: int, p: int, tile: int = 8) -> None:
    """What matmul_tiled computes: a is (m/t, n/t, t, t), b (n/t, p/t, t, t), out (m/t, p/t, t, t)."""

    def untiled(flat: Flat, rows: int, columns: int) -> Flat:
        return flat.reshape(rows // tile, columns // tile, tile, tile).swapaxes(1, 2).reshape(-1)

    product = np.empty(m * p, out.dtype)
    matmul.kernel(untiled(a, m, n), untiled(b, n, p), product, m, n, p)  # type: ignore[attr-defined]
    out[:] = product.reshape(m // tile, tile, p // tile, tile).swapaxes(1, 2).reshape(-1)


def __getattr__(name: str) -> Any:
    """Find ewise_power on its first use: its specification is not given, it is written in a file of its own."""
    if name != "ewise_power":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .power import ewise_power

    return globals().setdefault(name, at_border(ewise_power))


# Name -> kernel on flat arrays, for whoever wants the right answer without handles.
KERNELS: dict[str, Callable[..., None]] = {
    name: value.kernel for name, value in list(globals().items()) if hasattr(value, "kernel")
} | {"matmul_tiled": matmul_tiled_kernel}
