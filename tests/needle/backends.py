"""What the tests of the backends share: every device, or why it is skipped, and a few lines to call kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from needle.backend_ndarray.device import BackendDevice

Flat = npt.NDArray[np.float32]

DEVICES = ("cpu_numpy", "cpu", "cuda", "cuda_sim")
REQUIRED = ("cpu_numpy", "cpu")  # make always builds these: without them the tests fail

# What may be missing on a sound machine. A stale build, or one that does not load, is a failure, not a missing device.
EXCUSES = ("not built: run make", "built, but no memory can be had on it")


@dataclass(frozen=True)
class Backend:
    """A backend's functions (`backend.mod.fill`), and flat buffers in and out of them."""

    device: BackendDevice

    @property
    def mod(self) -> Any:
        return self.device

    @property
    def name(self) -> str:
        """The name in messages: that of the module, not that of the device."""
        return str(self.mod.__device_name__)

    def array(self, values: npt.ArrayLike) -> Any:
        flat = np.asarray(values, dtype=np.float32).reshape(-1)
        handle = self.mod.Array(flat.size)
        self.mod.from_numpy(flat, handle)
        return handle

    def poisoned(self, size: int) -> Any:
        """A buffer of NaN: an element that a kernel forgets shows."""
        return self.array(np.full(size, np.nan))

    def read(self, handle: Any) -> Flat:
        return np.array(self.mod.to_numpy(handle, (handle.size,), (1,), 0))

    def run(self, function: str, *arguments: Any, out: int) -> Flat:
        """Call a function whose arrays come as NumPy arrays, with a poisoned out of `out` elements in its place."""
        result = self.poisoned(out)
        given = [
            result if value is OUT else self.array(value) if isinstance(value, np.ndarray) else value
            for value in arguments
        ]
        getattr(self.mod, function)(*given)
        return self.read(result)

    def run_on(self, handle: Any, function: str, *arguments: Any, out: int) -> Flat:
        """Call a function on a handle that is there already, with a poisoned out of `out` elements after it."""
        result = self.poisoned(out)
        getattr(self.mod, function)(handle, result, *arguments)
        return self.read(result)


OUT = object()  # stands for the output in the arguments of `run`


def backend(name: str) -> Backend:
    """The backend of a device; skips with the device's own reason where the machine cannot have it, and fails else."""
    device = BackendDevice(name)
    reason = device.reason
    if reason is not None:
        if name not in REQUIRED and reason.startswith(EXCUSES):
            pytest.skip(f"{name}: {reason}")
        pytest.fail(f"{name}: {reason}")
    return Backend(device)


def layout_of(view: npt.NDArray[Any], base: npt.NDArray[Any]) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Shape, strides and offset, in elements, by which NumPy sees `base` as `view`."""
    addresses = [array.__array_interface__["data"][0] for array in (view, base)]
    strides = tuple(stride // base.itemsize for stride in view.strides)
    return view.shape, strides, (addresses[0] - addresses[1]) // base.itemsize
