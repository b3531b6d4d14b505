"""Tensors of constants and of random numbers.

Draws come from NumPy's global generator, one call per tensor with its whole shape, so a seed set by the caller repeats
them. Without a device, all take `default_device()`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd import Tensor
from ..backend_selection import default_device


def rand(
    *shape: int,
    low: float = 0.0,
    high: float = 1.0,
    device: Any = None,
    dtype: Any = "float32",
    requires_grad: bool = False,
) -> Tensor:
    """Uniform numbers from low to high."""
    device = default_device() if device is None else device
    array = device.rand(*shape) * (high - low) + low
    return Tensor(array, device=device, dtype=dtype, requires_grad=requires_grad)


def randn(
    *shape: int,
    mean: float = 0.0,
    std: float = 1.0,
    device: Any = None,
    dtype: Any = "float32",
    requires_grad: bool = False,
) -> Tensor:
    """Normal numbers with this mean and standard deviation."""
    device = default_device() if device is None else device
    array = device.randn(*shape) * std + mean
    return Tensor(array, device=device, dtype=dtype, requires_grad=requires_grad)


def constant(
    *shape: int, c: float = 1.0, device: Any = None, dtype: Any = "float32", requires_grad: bool = False
) -> Tensor:
    """The number c everywhere."""
    device = default_device() if device is None else device
    return Tensor(device.full(shape, c, dtype=dtype), device=device, dtype=dtype, requires_grad=requires_grad)


def ones(*shape: int, device: Any = None, dtype: Any = "float32", requires_grad: bool = False) -> Tensor:
    return constant(*shape, c=1.0, device=device, dtype=dtype, requires_grad=requires_grad)


def zeros(*shape: int, device: Any = None, dtype: Any = "float32", requires_grad: bool = False) -> Tensor:
    return constant(*shape, c=0.0, device=device, dtype=dtype, requires_grad=requires_grad)


def randb(*shape: int, p: float = 0.5, device: Any = None, dtype: Any = "bool", requires_grad: bool = False) -> Tensor:
    """True with probability p: where a uniform draw is at most p. NDArrays need dtype "float32"."""
    device = default_device() if device is None else device
    array = device.rand(*shape) <= p
    return Tensor(array, device=device, dtype=dtype, requires_grad=requires_grad)


def one_hot(n: int, i: Tensor, device: Any = None, dtype: Any = "float32", requires_grad: bool = False) -> Tensor:
    """For each index of `i` a row of n numbers: 1 at the index, else 0.

    Shapes: `i` of any shape s gives s + (n,).
    Errors: ValueError for an index that is not a whole number from 0 to n - 1; it names the index and its place.
    """
    device = default_device() if device is None else device
    numbers = i.numpy()
    indices = numbers.astype("int32")
    wrong = np.argwhere((indices != numbers) | (indices < 0) | (indices >= n))
    if len(wrong):
        place = tuple(int(k) for k in wrong[0])
        raise ValueError(f"one_hot: index {numbers[place]:g} at place {place} must be a whole number from 0 to {n - 1}")
    return Tensor(device.one_hot(n, indices, dtype=dtype), device=device, dtype=dtype, requires_grad=requires_grad)


def zeros_like(array: Tensor, *, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Zeros with the shape and dtype of `array`, by default on its device."""
    device = array.device if device is None else device
    return zeros(*array.shape, device=device, dtype=array.dtype, requires_grad=requires_grad)


def ones_like(array: Tensor, *, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Ones with the shape and dtype of `array`, by default on its device."""
    device = array.device if device is None else device
    return ones(*array.shape, device=device, dtype=array.dtype, requires_grad=requires_grad)
