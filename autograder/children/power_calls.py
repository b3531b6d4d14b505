"""The calls of power_child.py: buffers in, one call of the student's, buffers out. Given arrays stand for NDArray's.

The operators are those of the tree's own arithmetic.py, whose `**` calls the student's `power`.
"""

import math

import numpy as np
import wire

from needle.backend_ndarray.arithmetic import Arithmetic


class Device:
    """A device with one function, which tells its operands apart."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"{self.name}()"

    def ewise_power(self, a, b, out):
        if not a.size == b.size == out.size:
            raise ValueError(f"ewise_power: sizes must agree, but they are {a.size}, {b.size} and {out.size}")
        out[:] = 1000 * a + b

    def scalar_power(self, a, value, out):
        out[:] = a


class GivenArray(Arithmetic):
    """A view of a flat buffer, with what an operator uses of NDArray."""

    def __init__(self, handle, shape, strides, offset, device):
        self._handle, self.shape, self.strides, self.offset, self.device = handle, shape, strides, offset, device

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)

    def is_compact(self):
        rows = tuple(math.prod(self.shape[axis + 1 :]) for axis in range(self.ndim))
        return self.strides == rows and self.offset == 0 and self._handle.size == self.size

    def compact(self):
        if self.is_compact():
            return self
        new = self.make(self.shape)
        steps = [4 * stride for stride in self.strides]
        new._handle[:] = np.lib.stride_tricks.as_strided(self._handle[self.offset :], self.shape, steps).reshape(-1)
        return new

    def make(self, shape, strides=None, device=None, handle=None, offset=0):
        rows = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
        buffer = np.full(math.prod(shape), np.nan, np.float32) if handle is None else handle
        return GivenArray(buffer, tuple(shape), rows if strides is None else strides, offset, device or self.device)

    def _check_device(self, op, other):
        if other.device is not self.device:
            raise ValueError(f"{op}: arrays are on {self.device} and {other.device}; move one with .to(device)")


def dispatch(arguments):
    """`a ** b`, and its elements in row-major order."""
    a, *layout_a, b, shape, strides, offset, other, out = arguments
    device = Device("given")
    left = GivenArray(a, layout_a[0], layout_a[1], layout_a[2], device)
    right = GivenArray(b, shape, strides, offset, Device("other") if other else device)
    result = left**right
    if not isinstance(result, GivenArray):
        raise TypeError(f"a ** b is a {type(result).__name__}, not an NDArray")
    if result.shape != left.shape or result.device is not device:
        raise TypeError(f"a ** b has shape {result.shape} on {result.device}, not {left.shape} on {device}")
    if any(np.shares_memory(result._handle, each) for each in (a, b)):
        raise TypeError("a ** b shares the buffer of an operand")
    out[:] = result.compact()._handle


def in_float64(module, a, b, out):
    """Zeros where the specification works in the dtype that it gets."""
    wide_a, wide_b, wide = a.astype(np.float64), b.astype(np.float64), np.full(a.size, np.nan)
    module.ewise_power(wide_a, wide_b, wide)
    narrow = wide.astype(np.float32)
    out[:] = np.where(np.isfinite(wide) & (narrow.astype(np.float64) != wide), 0.0, 1.0)


def call(module, asked, contents):
    """One call; the contents of every buffer after it, with the guard bands of an honest answer."""
    flat = np.frombuffer(bytearray(contents), np.float32)
    ends = np.cumsum(asked["sizes"])
    buffers = [flat[end - size : end].copy() for end, size in zip(ends, asked["sizes"], strict=True)]
    arguments = [
        buffers[each["buffer"]] if isinstance(each, dict) else tuple(each) if isinstance(each, list) else each
        for each in asked["arguments"]
    ]
    if asked["function"] == "power":
        dispatch(arguments)
    elif asked["function"] == "ewise_power_in_float64":
        in_float64(module, *arguments)
    else:
        with np.errstate(all="ignore"):
            module.ewise_power(*arguments)
    return b"".join(wire.BAND + each.astype(np.float32).tobytes() + wire.BAND for each in buffers if each.size)
