"""Operators that write through a view, and their inverses that read through one: stack, dilate, pad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..array_kind import Array
from ..autograd import Tensor, TensorOp, TensorTuple, TensorTupleOp
from . import arrays
from .tuple import make_tuple


class Stack(TensorOp):
    """Puts equal shapes along a new axis; the input is one TensorTuple."""

    name = "stack"

    def __init__(self, axis: int):
        self.axis = axis

    def compute(self, items: tuple[Array, ...]) -> Array:
        if not items:
            raise ValueError("stack: there must be at least one tensor")
        shape = tuple(items[0].shape)
        for position, item in enumerate(items):
            if tuple(item.shape) != shape:
                raise ValueError(f"stack: shapes must be equal, but {position} has {tuple(item.shape)}, not {shape}")
        ndim = len(shape) + 1
        axis = arrays.normalize_axes(self.name, self.axis, ndim, (*shape, len(items)))[0]
        out = arrays.full((*shape[:axis], len(items), *shape[axis:]), 0.0, items[0])
        for position, item in enumerate(items):
            index = tuple(slice(position, position + 1) if a == axis else slice(None) for a in range(ndim))
            out[index] = arrays.reshape(item, (*shape[:axis], 1, *shape[axis:]))
        return out

    def gradient(self, out_grad: Tensor, node: Tensor) -> TensorTuple:
        return split(out_grad, self.axis)


class Split(TensorTupleOp):
    """One tensor per index of an axis; that axis is removed."""

    name = "split"

    def __init__(self, axis: int):
        self.axis = axis

    def compute(self, a: Array) -> tuple[Array, ...]:
        axis = arrays.normalize_axes(self.name, self.axis, a.ndim, a.shape)[0]
        rest = tuple(length for other, length in enumerate(a.shape) if other != axis)
        pieces = []
        for position in range(a.shape[axis]):
            index = tuple(slice(position, position + 1) if o == axis else slice(None) for o in range(a.ndim))
            pieces.append(arrays.reshape(a[index], rest))
        return tuple(pieces)

    def gradient(self, out_grad: TensorTuple, node: Any) -> Tensor:
        axis = self.axis % node.inputs[0].ndim
        return Stack(axis)(out_grad)


class Dilate(TensorOp):
    """Writes `dilation` zeros after each element of the axes; axes beyond the shape are ignored."""

    name = "dilate"

    def __init__(self, axes: Any, dilation: int):
        self.axes = (axes,) if isinstance(axes, int) else tuple(axes)
        self.dilation = dilation
        if dilation < 0:
            raise ValueError(f"{self.name}: dilation must not be negative, got {dilation}")

    def index(self, ndim: int) -> tuple[slice, ...]:
        named = {axis + ndim if -ndim <= axis < 0 else axis for axis in self.axes}
        return tuple(slice(None, None, self.dilation + 1) if axis in named else slice(None) for axis in range(ndim))

    def compute(self, a: Array) -> Array:
        index = self.index(a.ndim)
        out = arrays.full([length * (part.step or 1) for length, part in zip(a.shape, index, strict=True)], 0.0, a)
        out[index] = a
        return out

    def gradient(self, out_grad: Tensor, node: Tensor) -> Tensor:
        return undilate(out_grad, self.axes, self.dilation)


class UnDilate(Dilate):
    """Keeps each (dilation + 1)-th element of the axes, from the first."""

    name = "undilate"

    def compute(self, a: Array) -> Array:
        return arrays.compact(a[self.index(a.ndim)])

    def gradient(self, out_grad: Tensor, node: Any) -> Tensor:
        wide, shape = dilate(out_grad, self.axes, self.dilation), node.inputs[0].shape
        return crop(wide, [(0, have - want) for have, want in zip(wide.shape, shape, strict=True)])


class Pad(TensorOp):
    """Writes zeros before and after along each axis: one (before, after) pair per axis."""

    name = "pad"

    def __init__(self, widths: Sequence[tuple[int, int]]):
        self.widths = tuple((int(before), int(after)) for before, after in widths)

    def check(self, a: Array) -> None:
        if len(self.widths) != a.ndim or min(map(min, self.widths), default=0) < 0:
            raise ValueError(
                f"{self.name}: shape {tuple(a.shape)} needs one (before, after) pair of numbers >= 0 per axis, "
                f"got {self.widths}"
            )

    def compute(self, a: Array) -> Array:
        self.check(a)
        out = arrays.full(
            [before + length + after for length, (before, after) in zip(a.shape, self.widths, strict=True)], 0.0, a
        )
        out[tuple(slice(before, before + length) for length, (before, _) in zip(a.shape, self.widths, strict=True))] = a
        return out

    def gradient(self, out_grad: Tensor, node: Tensor) -> Tensor:
        return crop(out_grad, self.widths)


class Crop(Pad):
    """Takes away elements before and after along each axis."""

    name = "crop"

    def compute(self, a: Array) -> Array:
        self.check(a)
        if any(before + after > length for length, (before, after) in zip(a.shape, self.widths, strict=True)):
            raise ValueError(f"crop: {self.widths} takes more than shape {tuple(a.shape)} has")
        return arrays.compact(
            a[
                tuple(
                    slice(before, length - after) for length, (before, after) in zip(a.shape, self.widths, strict=True)
                )
            ]
        )

    def gradient(self, out_grad: Tensor, node: Tensor) -> Tensor:
        return pad(out_grad, self.widths)


def stack(items: Sequence[Tensor], axis: int) -> Tensor:
    return Stack(axis)(items if isinstance(items, TensorTuple) else make_tuple(*items))


def split(a: Tensor, axis: int) -> TensorTuple:
    return Split(axis)(a)


def dilate(a: Tensor, axes: Any, dilation: int) -> Tensor:
    return Dilate(axes, dilation)(a)


def undilate(a: Tensor, axes: Any, dilation: int) -> Tensor:
    return UnDilate(axes, dilation)(a)


def pad(a: Tensor, widths: Sequence[tuple[int, int]]) -> Tensor:
    return Pad(widths)(a)


def crop(a: Tensor, widths: Sequence[tuple[int, int]]) -> Tensor:
    return Crop(widths)(a)
