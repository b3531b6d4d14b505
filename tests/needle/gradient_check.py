"""Comparing gradients with central differences, in float64, with an upstream gradient that differs at every element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from needle.autograd import Tensor
from needle.backend_numpy import CPUDevice

STEP = 1e-5
Function = Callable[..., Any]


def tensor64(array: Any, requires_grad: bool = True) -> Tensor:
    """A float64 tensor on a plain NumPy array, whatever NEEDLE_BACKEND says."""
    return Tensor(np.asarray(array, dtype="float64"), device=CPUDevice(), dtype="float64", requires_grad=requires_grad)


def upstream(shape: Sequence[int]) -> np.ndarray:
    """A gradient without symmetry: a sum over a wrong axis or a lost transposition changes it."""
    size = int(np.prod(shape))
    return (np.sin(1.0 + 1.7 * np.arange(size)) + 0.1 * np.arange(size)).reshape(tuple(shape))


def gradients(function: Function, arrays: Sequence[np.ndarray], out_grad: Any = None) -> list[np.ndarray]:
    """What `backward` gives for the sum of function(arrays) times out_grad, by default the upstream gradient."""
    tensors = [tensor64(array) for array in arrays]
    out = function(*tensors)
    out.backward(tensor64(upstream(out.shape) if out_grad is None else out_grad))
    for tensor in tensors:
        assert tensor.grad is not None and tensor.grad.shape == tensor.shape
        assert tensor.grad.dtype == tensor.dtype
    return [tensor.grad.numpy() for tensor in tensors]


def differences(value: Callable[..., float], arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Central differences of a number by each element of each array."""
    found = []
    for position, array in enumerate(arrays):
        slope = np.zeros(array.shape)
        for index in np.ndindex(*array.shape):
            ends = []
            for sign in (1, -1):
                moved = [other.copy() for other in arrays]
                moved[position][index] += sign * STEP
                ends.append(value(*moved))
            slope[index] = (ends[0] - ends[1]) / (2 * STEP)
        found.append(slope)
    return found


def weighted_sum(function: Function) -> Callable[..., float]:
    def value(*arrays: np.ndarray) -> float:
        out = function(*[tensor64(array, requires_grad=False) for array in arrays]).numpy()
        return float((out * upstream(out.shape)).sum())

    return value


def check_gradients(function: Function, arrays: Sequence[np.ndarray], order: int = 1) -> None:
    """First (and for order 2 also second) derivatives agree with central differences."""
    arrays = [np.asarray(array, dtype="float64") for array in arrays]
    _close(gradients(function, arrays), differences(weighted_sum(function), arrays))
    if order == 2:
        for position in range(len(arrays)):
            _check_second(function, arrays, position)


def _first_derivative(function: Function, leaves: Sequence[Tensor]) -> list[Tensor]:
    out = function(*leaves)
    out.backward(tensor64(upstream(out.shape)))
    return [leaf.grad for leaf in leaves]


def _check_second(function: Function, arrays: Sequence[np.ndarray], position: int) -> None:
    """The gradient of the gradient by input `position`, against differences of that gradient."""

    def value(*parts: np.ndarray) -> float:
        grad = gradients(function, parts)[position]
        return float((grad * upstream(grad.shape)).sum())

    leaves = [tensor64(array) for array in arrays]
    grad = _first_derivative(function, leaves)[position]
    for leaf in leaves:
        leaf.grad = None
    grad.backward(tensor64(upstream(grad.shape)))
    found = [np.zeros(leaf.shape) if leaf.grad is None else leaf.grad.numpy() for leaf in leaves]
    _close(found, differences(value, arrays))


def _close(found: Sequence[np.ndarray], wanted: Sequence[np.ndarray]) -> None:
    for position, (have, want) in enumerate(zip(found, wanted, strict=True)):
        # Truncation is of the order STEP**2, rounding of 1e-16 / STEP, both times values of the order 1 to 100.
        np.testing.assert_allclose(have, want, rtol=1e-5, atol=1e-6, err_msg=f"gradient of input {position}")
