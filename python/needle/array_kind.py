"""Two kinds of arrays stand below a Tensor, numpy.ndarray and NDArray; here is how to tell, make and mix them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import backend_selection
from .backend_numpy import CPUDevice

Array = Any  # numpy.ndarray or needle.backend_ndarray.NDArray


def is_numpy(array: Array) -> bool:
    return isinstance(array, (np.ndarray, np.generic))


def is_array(value: object) -> bool:
    """True for an array of either kind; an NDArray is known by its protocol, not by its class."""
    return isinstance(value, np.ndarray) or (hasattr(value, "_handle") and hasattr(value, "strides"))


def device_of(array: Array) -> Any:
    """The device that holds an array: `CPUDevice()` for NumPy arrays."""
    return CPUDevice() if is_numpy(array) else array.device


def to_numpy(array: Array) -> np.ndarray:
    """An independent NumPy copy of an array of either kind."""
    return np.array(array) if is_numpy(array) else array.numpy()


def make_array(data: Any, device: Any, dtype: Any) -> Array:
    """A new array on `device` from anything NumPy understands, or from an array of either kind."""
    if is_array(data) and not is_numpy(data):
        data = data.numpy()
    if isinstance(device, CPUDevice):
        return np.array(data, dtype=dtype)
    from . import backend_ndarray  # on first use: NumPy tensors need no NDArray

    return backend_ndarray.array(data, dtype="float32" if dtype is None else dtype, device=device)


def _flat(arrays: Sequence[Any]) -> list[Array]:
    """The arrays of an operation's inputs, some of which may be tuples of arrays."""
    return [item for array in arrays for item in (array if isinstance(array, tuple) else (array,))]


def as_result(data: Any, inputs: Sequence[Any]) -> Any:
    """What an operation computed, as arrays in the dtype of its inputs if they have one floating dtype.

    NumPy turns results without axes into scalars, and NumPy 1 lets a Python float promote those to float64.
    """
    if isinstance(data, tuple):
        return tuple(as_result(item, inputs) for item in data)
    if not is_numpy(data):
        return data
    dtypes = {array.dtype for array in _flat(inputs)}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    return np.asarray(data, dtype=dtype if dtype is not None and dtype.kind == "f" else None)


def check_same_kind(op_name: str, arrays: Sequence[Any]) -> None:
    """Refuse inputs of one operation that lie on two devices or have two dtypes."""
    flat = _flat(arrays)
    for other in flat[1:]:
        first_device, other_device = device_of(flat[0]), device_of(other)
        if first_device != other_device:
            raise ValueError(
                f"{op_name}: inputs must be on one device, not on {first_device!r} and {other_device!r}; "
                "move one with Tensor(x, device=...)"
            )
        if flat[0].dtype != other.dtype and not backend_selection.PROMOTES_DTYPES:
            raise TypeError(
                f"{op_name}: inputs must have one dtype, not {flat[0].dtype} and {other.dtype}; "
                "convert one with Tensor(x, dtype=...)"
            )
