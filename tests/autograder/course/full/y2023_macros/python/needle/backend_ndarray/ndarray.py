import operator
from functools import reduce
import numpy as np
from . import ndarray_backend_numpy, ndarray_backend_cpu


# math.prod not in Python 3.7
def prod(x):
	return reduce(operator.mul, x, 1)


class BackendDevice:
	"""A backend device, wraps the implementation module."""

	def __init__(self, name, mod):
		self.name = name
		self.mod = mod

	def __eq__(self, other):
		return self.name == other.name

	def __repr__(self):
		return self.name + "()"

	def __getattr__(self, name):
		return getattr(self.mod, name)

	def enabled(self):
		return self.mod is not None


def cuda():
	try:
		from . import ndarray_backend_cuda

		return BackendDevice("cuda", ndarray_backend_cuda)
	except ImportError:
		return BackendDevice("cuda", None)


def cpu_numpy():
	return BackendDevice("cpu_numpy", ndarray_backend_numpy)


def cpu():
	return BackendDevice("cpu", ndarray_backend_cpu)


def default_device():
	return cpu_numpy()


class NDArray:
	def __init__(self, other, device=None):
		if isinstance(other, NDArray):
			if device is None:
				device = other.device
			self._init(other.to(device) + 0.0)
		elif isinstance(other, np.ndarray):
			device = device if device is not None else default_device()
			array = self.make(other.shape, device=device)
			array.device.from_numpy(np.ascontiguousarray(other), array._handle)
			self._init(array)
		else:
			self._init(NDArray(np.array(other), device=device))

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
			stride = stride * shape[-i]
		return tuple(res[::-1])

	@staticmethod
	def make(shape, strides=None, device=None, handle=None, offset=0):
		array = NDArray.__new__(NDArray)
		array._shape = tuple(shape)
		array._strides = NDArray.compact_strides(shape) if strides is None else strides
		array._offset = offset
		array._device = device if device is not None else default_device()
		if handle is None:
			array._handle = array.device.Array(prod(shape))
		else:
			array._handle = handle
		return array

	@property
	def shape(self):
		return self._shape

	@property
	def strides(self):
		return self._strides

	@property
	def device(self):
		return self._device

	@property
	def ndim(self):
		return len(self._shape)

	def is_compact(self):
		return self._strides == self.compact_strides(self._shape) and prod(self.shape) == self._handle.size

	def compact(self):
		if self.is_compact():
			return self
		out = NDArray.make(self.shape, device=self.device)
		self.device.compact(self._handle, out._handle, self.shape, self.strides, self._offset)
		return out

	def as_strided(self, shape, strides):
		assert len(shape) == len(strides)
		return NDArray.make(shape, strides=strides, device=self.device, handle=self._handle, offset=self._offset)

	def reshape(self, new_shape):
		### BEGIN SOLUTION
		if reduce(operator.mul, new_shape, 1) != reduce(operator.mul, self._shape, 1) or not self.is_compact():
			raise ValueError(f"cannot reshape {self._shape} into {new_shape}")
		return self.as_strided(tuple(new_shape), NDArray.compact_strides(new_shape))
		### END SOLUTION

	def permute(self, new_axes):
		### BEGIN SOLUTION
		shape, strides = zip(*[(self._shape[a], self._strides[a]) for a in new_axes])
		return self.as_strided(shape, strides)
		### END SOLUTION

	def broadcast_to(self, new_shape):
		### BEGIN SOLUTION
		new_shape = tuple(new_shape)
		assert self.ndim == len(new_shape), "dimensions differ"
		for have, want in zip(self._shape, new_shape):
			assert have in (1, want), "cannot broadcast"
		strides = tuple(0 if have == 1 else stride for have, stride in zip(self._shape, self._strides))
		return self.as_strided(new_shape, strides)
		### END SOLUTION

	def process_slice(self, sl, dim):
		"""Convert a slice to an explicit start/stop/step"""
		start, stop, step = sl.start, sl.stop, sl.step
		if start == None:
			start = 0
		if start < 0:
			start = self.shape[dim]
		if stop == None:
			stop = self.shape[dim]
		if stop < 0:
			stop = self.shape[dim] + stop
		if step == None:
			step = 1
		# we're not gonna handle negative strides and that kind of thing
		assert stop > start, "Start must be less than stop"
		assert step > 0, "No support for  negative increments"
		return slice(start, stop, step)

	def __getitem__(self, idxs):
		# handle singleton as tuple, everything as slices
		if not isinstance(idxs, tuple):
			idxs = (idxs,)
		idxs = tuple(
			[self.process_slice(s, i) if isinstance(s, slice) else slice(s, s + 1, 1) for i, s in enumerate(idxs)]
		)
		assert len(idxs) == self.ndim, "Need indexes equal to number of dimensions"
		### BEGIN SOLUTION
		shape = tuple(int(np.ceil((s.stop - s.start) / s.step)) for s in idxs)
		strides = tuple(stride * s.step for stride, s in zip(self._strides, idxs))
		offset = self._offset + int(np.dot([s.start for s in idxs], self._strides))
		return self.make(shape, strides=strides, device=self._device, handle=self._handle, offset=offset)
		### END SOLUTION
