"""The view operations done right, on plain (shape, strides, offset): what the models of mistakes deviate from."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autograder.mistakes.compact import compact_strides

Shape = tuple[int, ...]
Layout = tuple[Shape, Shape, int]
Operation = Callable[[Layout, Any], Layout]


class Refused(Exception):
    """The operation raises for this argument."""


def contiguous(layout: Layout) -> bool:
    """Whether row-major order walks through consecutive elements."""
    shape, strides, _ = layout
    return 0 in shape or all(
        n == 1 or s == want for n, s, want in zip(shape, strides, compact_strides(shape), strict=True)
    )


def resolve(shape: Shape, size: int) -> Shape:
    """A shape with its -1 replaced."""
    if -1 not in shape:
        return shape
    known = math.prod(n for n in shape if n != -1)
    if shape.count(-1) > 1 or known <= 0 or size % known:
        raise Refused
    return tuple(size // known if n == -1 else n for n in shape)


def reshape(layout: Layout, new: Any) -> Layout:
    """The right reshape."""
    shape = resolve(tuple(new), math.prod(layout[0]))
    if math.prod(shape) != math.prod(layout[0]) or not contiguous(layout):
        raise Refused
    return shape, compact_strides(shape), layout[2]


def permute(layout: Layout, axes: Any) -> Layout:
    """The right permute."""
    shape, strides, offset = layout
    if any(not -len(shape) <= axis < len(shape) for axis in axes):
        raise Refused
    axes = tuple(axis % len(shape) for axis in axes)
    if sorted(axes) != list(range(len(shape))):
        raise Refused
    return tuple(shape[k] for k in axes), tuple(strides[k] for k in axes), offset


def broadcast_to(layout: Layout, new: Any) -> Layout:
    """The right broadcast_to."""
    shape, strides, offset = layout
    added = len(new) - len(shape)
    if added < 0 or any(n not in (1, want) for n, want in zip(shape, new[added:], strict=True)):
        raise Refused
    kept = tuple(s if n == want else 0 for n, s, want in zip(shape, strides, new[added:], strict=True))
    return tuple(new), (0,) * added + kept, offset


def chosen(layout: Layout, index: Any) -> list[tuple[int, int, int]]:
    """(start, step, length) for every axis."""
    items = list(index) if isinstance(index, tuple) else [index]
    shape = layout[0]
    if len([item for item in items if item is not Ellipsis]) > len(shape):
        raise Refused
    missing = [slice(None)] * (len(shape) - sum(item is not Ellipsis for item in items))
    at = items.index(Ellipsis) if Ellipsis in items else len(items)
    found = []
    for item, n in zip(items[:at] + missing + items[at + 1 :], shape, strict=True):
        if isinstance(item, slice):
            walked = range(*item.indices(n))
            found.append((walked.start if len(walked) else 0, walked.step, len(walked)))
        elif -n <= item < n:
            found.append((item % n, 1, 1))
        else:
            raise Refused
    return found


def getitem(layout: Layout, index: Any) -> Layout:
    """The right getitem."""
    return sliced(layout, index)


def sliced(layout: Layout, index: Any, base: int | None = None) -> Layout:
    _, strides, offset = layout
    picked = chosen(layout, index)
    moved = sum(start * s for (start, _, _), s in zip(picked, strides, strict=True))
    new = tuple(s * step for (_, step, _), s in zip(picked, strides, strict=True))
    return tuple(n for _, _, n in picked), new, (offset if base is None else base) + moved


RIGHT: dict[str, Operation] = {
    "reshape": reshape,
    "permute": permute,
    "broadcast_to": broadcast_to,
    "getitem": getitem,
}
