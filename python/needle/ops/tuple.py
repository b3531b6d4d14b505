"""Operators on TensorTuples: making one, taking an element, and a fused pair of additions."""

from __future__ import annotations

from typing import Any

from ..array_kind import Array
from ..autograd import Tensor, TensorOp, TensorTuple, TensorTupleOp
from . import arrays


class MakeTensorTuple(TensorTupleOp):
    name = "make_tuple"

    def compute(self, *items: Array) -> tuple[Array, ...]:
        return tuple(items)

    def gradient(self, out_grad: TensorTuple, node: Any) -> tuple[Tensor, ...]:
        return tuple(out_grad[index] for index in range(len(node.inputs)))


class TupleGetItem(TensorOp):
    """One element; a tuple that was just made gives back its input without a node."""

    name = "tuple_get_item"

    def __init__(self, index: int):
        self.index = index

    def __call__(self, a: Any, fold_const: bool = True) -> Tensor:
        if not isinstance(a, TensorTuple):
            raise TypeError(f"tuple_get_item: the input must be a TensorTuple, not {type(a).__name__}")
        if fold_const and isinstance(a.op, MakeTensorTuple):
            return a.inputs[self.index]  # type: ignore[return-value]
        return Tensor.make_from_op(self, [a])

    def compute(self, a: tuple[Array, ...]) -> Array:
        return a[self.index]

    def gradient(self, out_grad: Tensor, node: Any) -> tuple[TensorTuple]:
        items = list(map(_zeros_like, node.inputs[0].realize_cached_data()))
        items[self.index] = out_grad
        return (make_tuple(*items),)


def _zeros_like(array: Array) -> Tensor:
    return Tensor.make_const(arrays.full(array.shape, 0.0, array))


class FusedAddScalars(TensorTupleOp):
    """(a + c0, a + c1)."""

    name = "fused_add_scalars"

    def __init__(self, c0: float, c1: float):
        self.c0 = c0
        self.c1 = c1

    def compute(self, a: Array) -> tuple[Array, Array]:
        return a + self.c0, a + self.c1

    def gradient(self, out_grad: TensorTuple, node: Any) -> Tensor:
        return out_grad[0] + out_grad[1]


def make_tuple(*items: Tensor) -> TensorTuple:
    return MakeTensorTuple()(*items)


def tuple_get_item(value: TensorTuple, index: int) -> Tensor:
    return TupleGetItem(index)(value)


def fused_add_scalars(a: Tensor, c0: float, c1: float) -> TensorTuple:
    return FusedAddScalars(c0, c1)(a)
