"""Layout(shape, strides, offset): how one flat buffer is seen as an array. The algebra of views; no memory is touched.

Index (i0, i1, ...) of a layout lies at element `offset + i0*strides[0] + i1*strides[1] + ...` of its buffer. A view is
a new layout over the same buffer, so the functions below only compute numbers. All count elements, not bytes.
Four functions are exercises: reshape, permute, broadcast_to and getitem. What they need is given above and below them.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..unfinished import unfinished  # noqa: F401  (what an unwritten exercise raises)

Shape = tuple[int, ...]


def as_shape(values: int | Iterable[int]) -> Shape:
    """Return one int or any iterable of ints as a tuple of plain ints; anything else is a TypeError."""
    if isinstance(values, Iterable):
        return tuple(operator.index(value) for value in values)
    return (operator.index(values),)


def compact_strides(shape: Sequence[int]) -> Shape:
    """Return the row-major strides of a shape, also for axes of length one: (1, 3, 2, 1, 2) gives (12, 4, 2, 2, 1)."""
    strides: list[int] = []
    stride = 1
    for length in reversed(shape):
        strides.append(stride)
        stride *= length
    return tuple(reversed(strides))


def normalize_axis(axis: int, ndim: int) -> int:
    """Return an axis counted from the front: -1 of three axes is 2. An axis that does not exist is a ValueError."""
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        raise ValueError(f"axis {axis} does not exist in an array of {ndim} axes")
    return axis % ndim


def normalize_axes(axes: int | Iterable[int], ndim: int) -> Shape:
    """Return axes counted from the front. Naming one twice is a ValueError."""
    normal = tuple(normalize_axis(axis, ndim) for axis in as_shape(axes))
    if len(set(normal)) != len(normal):
        raise ValueError(f"axes {as_shape(axes)} name one axis twice in an array of {ndim} axes")
    return normal


def normalize_slice(index: slice, length: int) -> tuple[int, int, int]:
    """Return a slice of an axis as (start, step, length): start + i*step for i in 0..length-1 are the chosen positions.

    Python's own rules: negative ends count from the back, ends are clamped, a negative step walks backwards.
    """
    chosen = range(*index.indices(length))
    return chosen.start, chosen.step, len(chosen)


def normalize_indices(indices: Any, shape: Shape) -> list[tuple[int, int, int]]:
    """Return one (start, step, length) per axis, for any index: int, slice, Ellipsis, or a tuple of them.

    An int chooses one position and keeps its axis, with length 1. Axes that no index names are taken whole.
    Errors: IndexError for an int outside its axis, for too many indices, and for anything that is no index.
    """
    indices = indices if isinstance(indices, tuple) else (indices,)
    ellipses = sum(index is Ellipsis for index in indices)
    if ellipses > 1:
        raise IndexError("an index can have one Ellipsis ('...') only")
    if len(indices) - ellipses > len(shape):
        raise IndexError(f"{len(indices) - ellipses} indices, but shape {shape} has {len(shape)} axes")
    at = indices.index(Ellipsis) if ellipses else len(indices)
    whole = (slice(None),) * (len(shape) - len(indices) + ellipses)
    full = (*indices[:at], *whole, *indices[at + 1 :])
    chosen = [_normalize_index(i, axis, length) for axis, (i, length) in enumerate(zip(full, shape, strict=True))]
    # One empty axis, and nothing is chosen: starts of 0 then keep the offset of the empty view inside its buffer.
    return chosen if all(length > 0 for _, _, length in chosen) else [(0, step, length) for _, step, length in chosen]


def _normalize_index(index: Any, axis: int, length: int) -> tuple[int, int, int]:
    if isinstance(index, slice):
        return normalize_slice(index, length)
    if isinstance(index, bool) or not hasattr(index, "__index__"):
        raise IndexError(f"an index must be an int, a slice or Ellipsis, not {type(index).__name__}")
    position = operator.index(index)
    if not -length <= position < length:
        raise IndexError(f"index {position} is outside axis {axis}, which has length {length}")
    return position % length, 1, 1


@dataclass(frozen=True)
class Layout:
    """Shape, strides and offset of a view, in elements.

    Example: the transpose of a 2x3 array is `Layout((3, 2), (1, 3), 0)`; its element (1, 0) lies at 0 + 1*1 + 0*3 = 1.
    """

    shape: Shape
    strides: Shape
    offset: int = 0

    def __post_init__(self) -> None:
        # Lists and NumPy integers come in; plain ints stay, so that layouts compare and print alike.
        object.__setattr__(self, "shape", as_shape(self.shape))
        object.__setattr__(self, "strides", as_shape(self.strides))
        object.__setattr__(self, "offset", operator.index(self.offset))
        if len(self.shape) != len(self.strides):
            raise ValueError(f"layout: shape {self.shape} and strides {self.strides} must have the same length")
        if any(length < 0 for length in self.shape):
            raise ValueError(f"layout: shape {self.shape} has a negative length")

    @staticmethod
    def compact(shape: int | Iterable[int], offset: int = 0) -> Layout:
        """Return the row-major layout of a shape: elements lie one behind the other."""
        return Layout(as_shape(shape), compact_strides(as_shape(shape)), offset)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of indices: the product of the shape, 1 for no axes."""
        return math.prod(self.shape)

    def address(self, index: Sequence[int]) -> int:
        """Return the element of the buffer at a full index; negative positions count from the back."""
        if len(index) != self.ndim:
            raise IndexError(f"{len(index)} indices, but shape {self.shape} has {self.ndim} axes")
        starts = [start for start, _, _ in normalize_indices(tuple(operator.index(i) for i in index), self.shape)]
        return self.offset + sum(start * stride for start, stride in zip(starts, self.strides, strict=True))

    def addresses(self) -> Iterator[int]:
        """Yield the address of every index, in row-major order."""
        for index in itertools.product(*map(range, self.shape)):
            yield self.offset + sum(i * stride for i, stride in zip(index, self.strides, strict=True))

    def span(self) -> tuple[int, int]:
        """Return the lowest and the highest element reached; an empty layout reaches none, and both are its offset."""
        if self.size == 0:
            return self.offset, self.offset
        ends = [(length - 1) * stride for length, stride in zip(self.shape, self.strides, strict=True)]
        return self.offset + sum(min(end, 0) for end in ends), self.offset + sum(max(end, 0) for end in ends)

    def fits(self, buffer_size: int) -> bool:
        """Tell whether every index lies inside a buffer of `buffer_size` elements."""
        low, high = self.span()
        return low >= 0 and (high < buffer_size or (self.size == 0 and high == buffer_size))

    def is_contiguous(self) -> bool:
        """Tell whether row-major order walks through consecutive elements, from the offset on.

        The stride of an axis of length one is never used, so it does not count; an empty layout is contiguous.
        """
        pairs = zip(self.shape, self.strides, compact_strides(self.shape), strict=True)
        return self.size == 0 or all(length == 1 or stride == wanted for length, stride, wanted in pairs)

    def is_one_to_one(self) -> bool:
        """Tell whether no two indices can reach the same element, so that a write through the layout means one thing.

        A sufficient test: with the axes longer than one sorted by |stride|, each |stride| must exceed the farthest
        reach of all smaller ones together. A broadcast axis (stride 0) never passes; an empty layout always does.
        """
        if self.size == 0:
            return True
        reach = 0
        axes = zip(self.shape, self.strides, strict=True)
        for stride, length in sorted((abs(stride), length) for length, stride in axes if length > 1):
            if stride <= reach:
                return False
            reach += (length - 1) * stride
        return True

    def as_strided(self, shape: Iterable[int], strides: Iterable[int]) -> Layout:
        """Return any other shape and strides at the same offset; only their lengths are checked."""
        return Layout(as_shape(shape), as_shape(strides), self.offset)

    def flip(self, axes: int | Iterable[int]) -> Layout:
        """Return the view that walks the axes backwards: from their last element on, with negated strides."""
        flipped = normalize_axes(axes, self.ndim)
        ends = sum((self.shape[axis] - 1) * self.strides[axis] for axis in flipped if self.size > 0)
        strides = tuple(-stride if axis in flipped else stride for axis, stride in enumerate(self.strides))
        return Layout(self.shape, strides, self.offset + ends)

    def reshape(self, new_shape: int | Iterable[int]) -> Layout:
        """Return the same elements in the same order under a new shape, without moving any.

        Shapes: the number of elements stays the same; one length may be -1 and stands for what makes it so.
        Memory: compact strides of the new shape, same offset.
        Errors: ValueError with shape and element counts when they differ (or no length fits the -1, or two are -1), and
        ValueError that names `.compact()` when this layout is not contiguous: no strides could describe the result.
        Example: `Layout.compact((2, 3)).reshape((3, -1))` is `Layout.compact((3, 2))`.
        """
        shape = as_shape(new_shape)
        # BEGIN SOLUTION reshape.views
        known = math.prod(length for length in shape if length != -1)
        if shape.count(-1) == 1 and known > 0 and self.size % known == 0:
            shape = tuple(self.size // known if length == -1 else length for length in shape)
        if any(length < 0 for length in shape):
            raise ValueError(f"reshape: no length fits {shape} for the {self.size} elements of {self.shape}")
        if math.prod(shape) != self.size:
            raise ValueError(f"reshape: {self.shape} has {self.size} elements but {shape} needs {math.prod(shape)}")
        if not self.is_contiguous():
            raise ValueError(f"reshape: {self} is not contiguous; reshape its .compact() instead")
        return Layout(shape, compact_strides(shape), self.offset)
        # END SOLUTION reshape.views

    def permute(self, new_axes: Iterable[int]) -> Layout:
        """Return the axes in another order: axis i of the result is axis `new_axes[i]` of this layout.

        Shapes: `new_axes` names every axis once; negative axes count from the back.
        Memory: shape and strides are reordered, the offset stays.
        Errors: ValueError for a repeated, missing or unknown axis.
        Example: `Layout((2, 3), (3, 1)).permute((1, 0))` is `Layout((3, 2), (1, 3))`.
        """
        axes = as_shape(new_axes)
        # BEGIN SOLUTION permute.views
        axes = normalize_axes(axes, self.ndim)
        if len(axes) != self.ndim:
            raise ValueError(f"permute: {axes} must name each of the {self.ndim} axes of {self.shape} once")
        shape = tuple(self.shape[axis] for axis in axes)
        strides = tuple(self.strides[axis] for axis in axes)
        return Layout(shape, strides, self.offset)
        # END SOLUTION permute.views

    def broadcast_to(self, new_shape: int | Iterable[int]) -> Layout:
        """Return the view that repeats elements along new axes and along axes of length one, without copying.

        Shapes: as in NumPy. Axes are aligned at the right, new axes stand in front; each aligned length is equal, or 1
        in this layout.
        Memory: a repeated axis gets stride 0, other axes keep theirs, the offset stays.
        Errors: ValueError with both shapes when they do not fit, also for fewer axes than there are.
        Example: `Layout((3, 1), (1, 1)).broadcast_to((2, 3, 4))` is `Layout((2, 3, 4), (0, 1, 0))`.
        """
        shape = as_shape(new_shape)
        # BEGIN SOLUTION broadcast_to.views
        added = len(shape) - self.ndim
        if added < 0 or any(n not in (1, new) for n, new in zip(self.shape, shape[added:], strict=True)):
            raise ValueError(f"broadcast_to: {self.shape} cannot be broadcast to {shape}")
        strides = [0] * added
        for length, stride, new in zip(self.shape, self.strides, shape[added:], strict=True):
            strides.append(stride if length == new else 0)
        return Layout(shape, tuple(strides), self.offset)
        # END SOLUTION broadcast_to.views

    def getitem(self, indices: Any) -> Layout:
        """Return the part that an index chooses: ints, slices, Ellipsis, as in `a[1, 2:8:3]`. No axis disappears.

        Shapes: `chosen` holds one (start, step, length) per axis, already checked: along that axis the result has
        `length` elements, the first at position `start`, each next one `step` further. An int is (position, 1, 1).
        Memory: strides grow by the step, the offset moves to the first chosen element of this layout.
        Errors: IndexError (raised for you) for an int outside its axis and for too many indices.
        Example: `Layout((4, 6), (6, 1), 24).getitem((1, slice(2, 6, 3)))` is `Layout((1, 2), (6, 3), 32)`.
        """
        chosen = normalize_indices(indices, self.shape)
        # BEGIN SOLUTION getitem.views
        shape = tuple(length for _, _, length in chosen)
        strides = tuple(stride * step for stride, (_, step, _) in zip(self.strides, chosen, strict=True))
        offset = self.offset + sum(start * stride for stride, (start, _, _) in zip(self.strides, chosen, strict=True))
        return Layout(shape, strides, offset)
        # END SOLUTION getitem.views
