"""Reverse-mode automatic differentiation: the graph of values, and the pass backward through it.

This module knows no operator. `needle.ops` defines them and installs Tensor's `+`, `@`, `.sum()` and so on,
so the graph can be read without them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .array_kind import as_result, check_same_kind, device_of, is_array, is_numpy, make_array, to_numpy
from .backend_selection import NDArray, cpu, default_device
from .graph import compute_gradient_of_variables, find_topo_sort, grad_enabled, no_grad, sum_node_list
from .tensor_operators import TensorOperators

__all__ = [
    "NDArray",
    "Op",
    "Tensor",
    "TensorOp",
    "TensorTuple",
    "TensorTupleOp",
    "Value",
    "compute_gradient_of_variables",
    "cpu",
    "find_topo_sort",
    "no_grad",
    "sum_node_list",
]

LAZY_MODE = False  # True: nothing is computed before its data is asked for, and the graph is always kept
TENSOR_COUNTER = 0  # live Values; a training loop must leave it flat


class Op:
    """An operation: `compute` works on arrays, `gradient` on tensors, so that gradients can be differentiated again.

    An op object holds only its parameters, never anything seen in `compute`: one object may be applied many times.
    """

    name = "op"  # the function's name, as errors say it
    differentiable = True  # False: results are constants (comparisons)

    def __call__(self, *args: Any) -> Any:
        raise NotImplementedError

    def compute(self, *arrays: Any) -> Any:
        """The result's array (or tuple of arrays) from the inputs' arrays."""
        raise NotImplementedError

    def gradient(self, out_grad: Any, node: Any) -> Any:
        """One tensor per input, each of that input's shape: out_grad times the derivative of `node` by the input."""
        raise NotImplementedError

    def gradient_as_tuple(self, out_grad: Any, node: Any) -> tuple[Any, ...]:
        """`gradient`, always as a tuple with one entry per input."""
        grads = self.gradient(out_grad, node)
        if isinstance(grads, (tuple, list)):
            return tuple(grads)
        return (grads,)


class TensorOp(Op):
    """An op whose result is a Tensor."""

    def __call__(self, *args: Any) -> Tensor:
        return Tensor.make_from_op(self, args)


class TensorTupleOp(Op):
    """An op whose result is a TensorTuple."""

    def __call__(self, *args: Any) -> TensorTuple:
        return TensorTuple.make_from_op(self, args)


class Value:
    """A node of the graph: the op that makes it, the inputs, and the data once it is computed."""

    op: Op | None
    inputs: Sequence[Value]
    num_outputs: int
    cached_data: Any
    requires_grad: bool
    grad: Any = None

    def realize_cached_data(self) -> Any:
        """The data, computed now (with all that it needs) when it is not there yet."""
        waiting: list[Value] = [self]  # no recursion: a lazy graph may be deeper than Python's limit
        while waiting:
            missing = [value for value in waiting[-1].inputs if value.cached_data is None]
            if missing and waiting[-1].cached_data is None:
                waiting += missing
            else:
                waiting.pop()._compute()
        return self.cached_data

    def _compute(self) -> None:
        if self.cached_data is not None or self.op is None:
            return
        arrays = [value.realize_cached_data() for value in self.inputs]
        check_same_kind(self.op.name, arrays)
        self.cached_data = as_result(self.op.compute(*arrays), arrays)

    def is_leaf(self) -> bool:
        return self.op is None

    def __del__(self) -> None:
        global TENSOR_COUNTER
        TENSOR_COUNTER -= 1

    def _init(
        self,
        op: Op | None,
        inputs: Sequence[Value],
        *,
        num_outputs: int = 1,
        cached_data: Any = None,
        requires_grad: bool | None = None,
    ) -> None:
        global TENSOR_COUNTER
        TENSOR_COUNTER += 1
        if requires_grad is None:
            recorded = grad_enabled() and (op is None or op.differentiable)
            requires_grad = recorded and any(value.requires_grad for value in inputs)
        self.op = op
        self.inputs = inputs
        self.num_outputs = num_outputs
        self.cached_data = cached_data
        self.requires_grad = requires_grad

    @classmethod
    def make_const(cls, data: Any, *, requires_grad: bool = False) -> Any:
        """A leaf with this data."""
        value = cls.__new__(cls)
        value._init(None, [], cached_data=data, requires_grad=requires_grad)
        return value

    @classmethod
    def make_from_op(cls, op: Op, inputs: Sequence[Any]) -> Any:
        """The result of an op; without any input that requires a gradient it is a plain leaf."""
        return _make_from_op(cls, op, inputs)

    def detach(self) -> Any:
        """A leaf that shares the data and requires no gradient."""
        return type(self).make_const(self.realize_cached_data())


def _make_from_op(cls: type[Value], op: Op, inputs: Sequence[Any]) -> Any:
    for position, item in enumerate(inputs, 1):  # before the object is made: __del__ counts on _init having run
        if not isinstance(item, Value):
            kind = type(item).__name__
            raise TypeError(f"{op.name}: input {position} must be a Tensor, not {kind}; wrap it in Tensor(...)")
    value = cls.__new__(cls)
    value._init(op, inputs)
    if LAZY_MODE:
        return value
    value._compute()
    return value if value.requires_grad else cls.make_const(value.cached_data)


class TensorTuple(Value):
    """A tuple of tensors as one node of the graph (no nesting); its data is a tuple of arrays."""

    if TYPE_CHECKING:  # installed by needle.ops

        def __getitem__(self, index: int) -> Tensor: ...
        def __add__(self, other: TensorTuple) -> TensorTuple: ...

    def __len__(self) -> int:
        return len(self.realize_cached_data())

    def __iter__(self) -> Iterator[Tensor]:
        return (self[index] for index in range(len(self)))

    def tuple(self) -> tuple[Tensor, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return f"needle.TensorTuple({', '.join(map(repr, self))})"


class Tensor(TensorOperators, Value):
    """An array that remembers how it was computed.

    Memory: a list or an array is copied; a Tensor of the same device and dtype shares its array.
    Errors: whatever the device refuses (NDArrays hold float32 only).
    Equality, truth and hash are those of the object: graph dictionaries need that. Elements are compared by `eq()`.
    Example: `x = Tensor([1.0, 2.0]); (x * x).sum().backward(); x.grad` is `[2. 4.]`.
    """

    def __init__(
        self, array: Any, *, device: Any = None, dtype: Any = None, requires_grad: bool = True, **kwargs: Any
    ) -> None:
        if isinstance(array, Tensor):
            device = array.device if device is None else device
            data = array.realize_cached_data()
            if device != array.device or dtype not in (None, array.dtype):
                data = make_array(data, device, dtype)  # without a dtype: its own, or float32 where there is no other
        else:
            if device is None:  # an NDArray stays where it is; a NumPy array is only a way to write numbers
                device = device_of(array) if is_array(array) and not is_numpy(array) else default_device()
            data = make_array(array, device, dtype)
        self._init(None, [], cached_data=data, requires_grad=requires_grad)

    @staticmethod
    def make_const(data: Any, *, requires_grad: bool = False) -> Tensor:  # type: ignore[override]
        """A leaf with this data; always a Tensor, also when called on a subclass."""
        value = Tensor.__new__(Tensor)
        data = data.realize_cached_data() if isinstance(data, Tensor) else data
        value._init(None, [], cached_data=data, requires_grad=requires_grad)
        return value

    @staticmethod
    def make_from_op(op: Op, inputs: Sequence[Any]) -> Tensor:  # type: ignore[override]
        """The result of an op; always a Tensor, also when called on a subclass: `Parameter * 2` is no Parameter."""
        return _make_from_op(Tensor, op, inputs)

    @property
    def data(self) -> Tensor:
        return self.detach()

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"data: the new data must be a Tensor, not {type(value).__name__}")
        if value.dtype != self.dtype or value.device != self.device:
            raise ValueError(
                f"data: the new data must be {self.dtype} on {self.device!r}, not {value.dtype} on {value.device!r}"
            )
        self.cached_data = value.realize_cached_data()

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.realize_cached_data().shape)

    @property
    def dtype(self) -> Any:
        return self.realize_cached_data().dtype

    @property
    def device(self) -> Any:
        return device_of(self.realize_cached_data())

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def numpy(self) -> np.ndarray:
        """An independent NumPy copy of the data."""
        return to_numpy(self.realize_cached_data())

    def backward(self, out_grad: Tensor | None = None, *, create_graph: bool = True) -> None:
        """Set `.grad` on every value that this one was computed from; earlier gradients are overwritten.

        `out_grad` defaults to ones. `create_graph=False` leaves gradients without a graph of their own: enough for
        training, and nothing then points from a gradient back into the forward pass.
        Errors: an out_grad of another shape.
        """
        if out_grad is None:
            out_grad = Tensor.make_const(self.device.full(self.shape, 1.0, dtype=self.dtype))
        if out_grad.shape != self.shape:
            raise ValueError(f"backward: out_grad has shape {out_grad.shape}, but the tensor has {self.shape}")
        with contextlib.nullcontext() if create_graph else no_grad():
            compute_gradient_of_variables(self, out_grad)

    def __repr__(self) -> str:
        return f"needle.Tensor({self.numpy()})"

    def __str__(self) -> str:
        return str(self.numpy())
