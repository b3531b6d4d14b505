"""Family power: `a ** b` for two arrays, an operator that crosses every boundary of the library in files of its own.

Here are its specification in NumPy and the way from NDArray to the device. The border of the compiled backends is
src/common/power.cc, the kernels are src/backend_cpu/power.cc and src/backend_cuda/power.cu, and ops/power.py has the
gradient.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..unfinished import unfinished  # noqa: F401  (what an unwritten exercise raises)

if TYPE_CHECKING:
    from .ndarray import NDArray

Flat = npt.NDArray[Any]  # one axis, any floating dtype


def ewise_power(a: Flat, b: Flat, out: Flat) -> None:
    """Write a[i] to the power b[i] into out[i], for flat NumPy arrays of one size: what the function computes.

    A negative base with a fractional exponent gives NaN, 0 to a negative power an infinity, and anything to the power 0
    gives 1. Memory: the whole of `out` is written, a and b stay as they are.
    """
    # BEGIN SOLUTION power.numpy
    out[:] = np.power(a, b)
    # END SOLUTION power.numpy


def power(a: NDArray, b: NDArray) -> NDArray:
    """Return a ** b, element by element: NDArray's `**` comes here when both sides are arrays.

    Memory: a new compact array on a's device. `device.ewise_power(a, b, out)` takes handles of compact arrays, so a
    view is made compact first: a handle knows nothing of shape, strides and offset.
    Errors: ValueError for arrays of different shapes, and for arrays on different devices (a._check_device says it).
    """
    device = a.device
    if not hasattr(device, "ewise_power"):
        raise NotImplementedError(
            f"power: {device!r} has no ewise_power; use a number as exponent, or exp(b * log(a)) where a > 0"
        )
    # BEGIN SOLUTION power.dispatch
    a._check_device("ewise_power", b)
    if a.shape != b.shape:
        raise ValueError(f"ewise_power: shapes must be equal, but they are {a.shape} and {b.shape}; use broadcast_to")
    out = a.make(a.shape, device=device)
    device.ewise_power(a.compact()._handle, b.compact()._handle, out._handle)
    return out
    # END SOLUTION power.dispatch
