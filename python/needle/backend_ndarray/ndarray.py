"""NDArray: a layout over a buffer of a device. It decides when a view must be copied; the rest is the layout's.

    NDArray = Layout (shape, strides, offset) + handle (one allocation of the device, shared by all views) + device

A view is a new NDArray with another layout and the same handle. Kernels take whole compact buffers, so an operation on
a view first calls `.compact()`, which gathers the elements in row-major order into a new buffer. Operators, reductions
and products stand in arithmetic.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import rules
from .arithmetic import Arithmetic
from .conversion import as_float32, as_scalar, is_scalar
from .device import BackendDevice, default_device
from .layout import Layout, as_shape, compact_strides, normalize_axis

Shape = tuple[int, ...]
Axes = int | Iterable[int]


class NDArray(Arithmetic):
    """An array of float32 on a device.

    Memory: views share their buffer; it is freed when the last of them is gone.
    Example: `NDArray([[1, 2], [3, 4]], device=cpu()) * 2`.
    """

    __array_ufunc__ = None  # `numpy_array + a` is refused instead of becoming an array of objects

    def __init__(self, other: Any, device: BackendDevice | None = None) -> None:
        """Copy the values of an NDArray (to its own device by default), a NumPy array, a number or nested lists."""
        if isinstance(other, NDArray) and device in (None, other.device):
            copy = other._copy()
            self._set(copy._layout, copy._device, copy._handle)
            return
        values = as_float32("array", other.numpy() if isinstance(other, NDArray) else other)
        new = NDArray.make(values.shape, device=device)
        new.device.from_numpy(values, new._handle)
        self._set(new._layout, new._device, new._handle)

    def _set(self, layout: Layout, device: BackendDevice, handle: Any) -> None:
        self._layout = layout
        self._device = device
        self._handle = handle

    @staticmethod
    def make(
        shape: Axes,
        strides: Iterable[int] | None = None,
        device: BackendDevice | None = None,
        handle: Any = None,
        offset: int = 0,
    ) -> NDArray:
        """Return an array over a handle, or over a new one with whatever values its memory holds.

        Memory: nothing is copied. Default strides are compact.
        Errors: ValueError when an index of the layout would leave the buffer, TypeError for a handle of another device.
        """
        device = default_device() if device is None else device
        shape = as_shape(shape)
        layout = Layout(shape, compact_strides(shape) if strides is None else as_shape(strides), offset)
        if handle is None:
            handle = device.Array(layout.size)
            if strides is None and offset == 0:  # every result of an operation: it fits, as it was made to
                return _array(layout, device, handle)
        rules.check_handle("make", "handle", handle, device.Array, str(device))
        rules.check_inside("make", layout, "handle", handle.size)
        return _array(layout, device, handle)

    def _view(self, layout: Layout) -> NDArray:
        return _array(layout, self._device, self._handle)

    def _check_device(self, op: str, other: NDArray) -> None:
        if other.device != self.device:
            raise ValueError(f"{op}: arrays are on {self.device} and {other.device}; move one with .to(device)")

    # What it is

    @property
    def _shape(self) -> Shape:
        return self._layout.shape

    @property
    def _strides(self) -> Shape:
        return self._layout.strides

    @property
    def _offset(self) -> int:
        return self._layout.offset

    @property
    def layout(self) -> Layout:
        """Shape, strides and offset in one value."""
        return self._layout

    @property
    def shape(self) -> Shape:
        return self._layout.shape

    @property
    def strides(self) -> Shape:
        """In elements, not bytes."""
        return self._layout.strides

    @property
    def device(self) -> BackendDevice:
        return self._device

    @property
    def dtype(self) -> str:
        return "float32"

    @property
    def ndim(self) -> int:
        return self._layout.ndim

    @property
    def size(self) -> int:
        return self._layout.size

    @property
    def flat(self) -> NDArray:
        """The elements in one axis; a view, so `a.flat[i] = v` writes to a. Errors: as reshape."""
        return self.reshape((self.size,))

    def __repr__(self) -> str:
        return f"NDArray({self}, device={self.device})"

    def __str__(self) -> str:
        return str(self.numpy())

    def __reduce__(self) -> tuple[Any, ...]:
        return NDArray, (self.numpy(), self._device)  # a handle cannot be pickled or deep-copied, its values can

    # Copies

    def numpy(self) -> npt.NDArray[np.float32]:
        """Return an independent NumPy array. A GPU sends the whole buffer to the host, also for a small view."""
        seen = self.device.to_numpy(self._handle, self.shape, self.strides, self._offset)
        return seen if seen.flags.owndata and seen.flags.c_contiguous else np.array(seen, order="C", copy=True)

    def to(self, device: BackendDevice) -> NDArray:
        """Return this array on a device: itself when it is there already, else a copy by way of the host."""
        return self if device == self.device else NDArray(self.numpy(), device=device)

    def is_compact(self) -> bool:
        """Tell whether strides are row-major and the elements are the whole buffer.

        The second row of a 2x3 array is contiguous and not compact: a kernel given its handle would see all six.
        """
        return self.strides == compact_strides(self.shape) and self.size == self._handle.size

    def compact(self) -> NDArray:
        """Return this very array when it is compact, else a compact copy."""
        return self if self.is_compact() else self._copy()

    def _copy(self) -> NDArray:
        out = NDArray.make(self.shape, device=self.device)
        self.device.compact(self._handle, out._handle, self.shape, self.strides, self._offset)
        return out

    def fill(self, value: float) -> None:
        """Set every element of the buffer, also those outside this view; `a[...] = value` sets only the view's."""
        self.device.fill(self._handle, as_scalar("fill", value))

    @staticmethod
    def compact_strides(shape: Iterable[int]) -> Shape:
        """Return the row-major strides of a shape."""
        return compact_strides(as_shape(shape))

    # Views: a new layout, the same handle

    def as_strided(self, shape: Iterable[int], strides: Iterable[int]) -> NDArray:
        """Return the view with any shape and strides at this offset. Errors: ValueError if it leaves the buffer."""
        return NDArray.make(as_shape(shape), as_shape(strides), self.device, self._handle, self._offset)

    def reshape(self, new_shape: Axes) -> NDArray:
        """Return the same elements in the same order under a new shape; one length may be -1.

        Errors: ValueError when the element counts differ, or when this array is not compact.
        """
        if not self.is_compact():
            raise ValueError(
                f"reshape: shape {self.shape}, strides {self.strides}, offset {self._offset} is not compact; "
                "reshape its .compact() instead"
            )
        return self._view(self._layout.reshape(new_shape))

    def permute(self, new_axes: Iterable[int]) -> NDArray:
        """Return the view whose axis i is axis `new_axes[i]` of this array.

        Errors: ValueError unless every axis is named once.
        """
        return self._view(self._layout.permute(new_axes))

    def broadcast_to(self, new_shape: Axes) -> NDArray:
        """Return the view that repeats axes of length one, and new axes in front.

        Errors: ValueError when the shapes do not fit.
        """
        return self._view(self._layout.broadcast_to(new_shape))

    def process_slice(self, sl: slice, dim: int) -> slice:
        """Return a slice of axis `dim` with explicit start, stop and step: negative ends counted, all clamped."""
        start, stop, step = sl.indices(self.shape[normalize_axis(dim, self.ndim)])
        return slice(start, stop if stop >= 0 else None, step)

    def __getitem__(self, idxs: Any) -> NDArray:
        """Return the view that ints, slices and Ellipsis choose. An int keeps its axis, with length 1.

        Errors: IndexError outside an axis, or for too many indices.
        """
        return self._view(self._layout.getitem(idxs))

    def flip(self, axes: Axes) -> NDArray:
        """Return a copy with the order of elements reversed along axes."""
        return self._view(self._layout.flip(axes))._copy()

    def pad(self, axes: Iterable[tuple[int, int]]) -> NDArray:
        """Return a copy with zeros around: one (before, after) pair per axis."""
        pairs = [as_shape(pair) for pair in axes]
        if len(pairs) != self.ndim or any(len(pair) != 2 or min(pair) < 0 for pair in pairs):
            raise ValueError(f"pad: shape {self.shape} needs {self.ndim} pairs (before, after) from 0 up, not {pairs}")
        lengths = [before + n + after for n, (before, after) in zip(self.shape, pairs, strict=True)]
        out = NDArray.make(lengths, device=self.device)
        out.fill(0.0)
        out[tuple(slice(before, before + n) for n, (before, _) in zip(self.shape, pairs, strict=True))] = self
        return out

    def __setitem__(self, idxs: Any, other: Any) -> None:
        """Write an array, a number or nested lists to the part that an index chooses.

        Shapes: equal after dropping axes of length one; a number goes everywhere.
        Memory: the buffer is written in place, so every view of it sees the change.
        Errors: ValueError for different shapes, other devices, and views that reach one element by two indices.
        """
        view = self._layout.getitem(idxs)
        device = self.device
        if is_scalar(other):
            value = as_scalar("setitem", other)
            device.scalar_setitem(view.size, value, self._handle, view.shape, view.strides, view.offset)
            return
        values = other if isinstance(other, NDArray) else NDArray(other, device=device)
        self._check_device("setitem", values)
        if [n for n in view.shape if n != 1] != [n for n in values.shape if n != 1]:
            raise ValueError(f"setitem: an array of shape {values.shape} does not fit into shape {view.shape}")
        # The kernel may write before it has read all, so a right side that shares the buffer is copied first.
        values = values._copy() if values._handle is self._handle else values.compact()
        device.ewise_setitem(values._handle, self._handle, view.shape, view.strides, view.offset)


def _array(layout: Layout, device: BackendDevice, handle: Any) -> NDArray:
    """Put an array together from parts that are known to fit."""
    new = NDArray.__new__(NDArray)
    new._set(layout, device, handle)
    return new
