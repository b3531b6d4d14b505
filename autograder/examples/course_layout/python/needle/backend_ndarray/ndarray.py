import operator
from functools import reduce

import numpy as np

from . import ndarray_backend_cpu, ndarray_backend_numpy


def prod(x):
    return reduce(operator.mul, x, 1)


class BackendDevice:
    def __init__(self, name, mod):
        self.name = name
        self.mod = mod

    def __getattr__(self, name):
        return getattr(self.mod, name)


def cpu():
    return BackendDevice("cpu", ndarray_backend_cpu)


def cpu_numpy():
    return BackendDevice("cpu_numpy", ndarray_backend_numpy)


def default_device():
    return cpu_numpy()


class NDArray:
    def __init__(self, other, device=None):
        array = NDArray.make(np.array(other).shape, device=device or default_device())
        array.device.from_numpy(np.ascontiguousarray(other, dtype=np.float32), array._handle)
        self._init(array)

    def _init(self, other):
        self._shape = other._shape
        self._strides = other._strides
        self._offset = other._offset
        self._device = other._device
        self._handle = other._handle

    @staticmethod
    def compact_strides(shape):
        stride = 1
        res = []
        for i in range(1, len(shape) + 1):
            res.append(stride)
            stride *= shape[-i]
        return tuple(res[::-1])

    @staticmethod
    def make(shape, strides=None, device=None, handle=None, offset=0):
        array = NDArray.__new__(NDArray)
        array._shape = tuple(shape)
        array._strides = NDArray.compact_strides(shape) if strides is None else strides
        array._offset = offset
        array._device = device if device is not None else default_device()
        array._handle = array._device.Array(prod(shape)) if handle is None else handle
        return array

    shape = property(lambda self: self._shape)
    strides = property(lambda self: self._strides)
    device = property(lambda self: self._device)
    ndim = property(lambda self: len(self._shape))

    def is_compact(self):
        return self._strides == self.compact_strides(self._shape) and prod(self.shape) == self._handle.size

    def as_strided(self, shape, strides):
        return NDArray.make(shape, strides=strides, device=self.device, handle=self._handle, offset=self._offset)

    def reshape(self, new_shape):
        if prod(self.shape) != prod(new_shape) or not self.is_compact():
            raise ValueError("cannot reshape")
        return self.as_strided(new_shape, self.compact_strides(new_shape))

    def permute(self, new_axes):
        return self.as_strided(tuple(self.shape[i] for i in new_axes), tuple(self.strides[i] for i in new_axes))

    def broadcast_to(self, new_shape):
        assert len(new_shape) == len(self.shape)
        strides = list(self.strides)
        for i, (old, new) in enumerate(zip(self.shape, new_shape)):
            assert old == new or old == 1
            if old != new:
                strides[i] = 0
        return self.as_strided(tuple(new_shape), tuple(strides))

    def process_slice(self, sl, dim):
        start, stop, step = sl.start, sl.stop, sl.step
        if start is None:
            start = 0
        if start < 0:
            start = self.shape[dim]
        if stop is None:
            stop = self.shape[dim]
        if stop < 0:
            stop = self.shape[dim] + stop
        if step is None:
            step = 1
        assert stop > start and step > 0
        return slice(start, stop, step)

    def __getitem__(self, idxs):
        if not isinstance(idxs, tuple):
            idxs = (idxs,)
        idxs = tuple(
            self.process_slice(s, i) if isinstance(s, slice) else slice(s, s + 1, 1) for i, s in enumerate(idxs)
        )
        assert len(idxs) == self.ndim
        shape = tuple((s.stop - s.start + s.step - 1) // s.step for s in idxs)
        strides = tuple(stride * s.step for stride, s in zip(self.strides, idxs))
        offset = self._offset + sum(s.start * stride for stride, s in zip(self.strides, idxs))
        return NDArray.make(shape, strides, self.device, self._handle, offset)
