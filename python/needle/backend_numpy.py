"""The device of plain NumPy arrays: any dtype, so float64 for the tests' gradient checks."""

from __future__ import annotations

from typing import Any

import numpy as np


class CPUDevice:
    """Makes NumPy arrays; all instances are one device.

    Random draws come from NumPy's global generator, one call per array, so a seed set by the caller repeats them.
    Example: `CPUDevice().rand(2, 3)` is a float64 array of shape (2, 3).
    """

    def __repr__(self) -> str:
        return "needle.cpu()"

    def __hash__(self) -> int:
        return hash(CPUDevice)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CPUDevice)

    def enabled(self) -> bool:
        return True

    def zeros(self, *shape: int, dtype: Any = "float32") -> np.ndarray:
        return np.zeros(shape, dtype=dtype)

    def ones(self, *shape: int, dtype: Any = "float32") -> np.ndarray:
        return np.ones(shape, dtype=dtype)

    def randn(self, *shape: int) -> np.ndarray:
        return np.asarray(np.random.randn(*shape))  # a call without lengths gives a Python float

    def rand(self, *shape: int) -> np.ndarray:
        return np.asarray(np.random.rand(*shape))

    def one_hot(self, n: int, i: Any, dtype: Any = "float32") -> np.ndarray:
        return np.eye(n, dtype=dtype)[i]

    def empty(self, shape: Any, dtype: Any = "float32") -> np.ndarray:
        return np.empty(shape, dtype=dtype)

    def full(self, shape: Any, fill_value: float, dtype: Any = "float32") -> np.ndarray:
        return np.full(shape, fill_value, dtype=dtype)


def cpu() -> CPUDevice:
    return CPUDevice()


def default_device() -> CPUDevice:
    return CPUDevice()


def all_devices() -> list[CPUDevice]:
    return [CPUDevice()]
