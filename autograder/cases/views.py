"""Cases of the four view operations: chains of steps on a layout, judged by the elements that the result reaches.

The expected layout is NumPy's, of the same steps on a buffer of element numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.case import ViewCase
from autograder.cases.draw import Draw
from autograder.cases.layouts import Array, numbered, view_of

CHECKS: dict[str, tuple[tuple[str, str], ...]] = {
    "reshape": (
        ("shape", "The same elements in the same order under a new shape."),
        ("minus_one", "One length may be -1 and stands for what makes the number of elements the same."),
        ("ranks", "Axes of length 1 may come and go, and so may all axes of a one-element array."),
        ("offset", "Compact strides of the new shape, same offset."),
        ("count_refused", "A shape with another number of elements, or with two -1, is a ValueError."),
        ("not_contiguous_refused", "Reshaping a layout that is not contiguous is a ValueError."),
    ),
    "permute": (
        ("order", "Axis i of the result is axis `new_axes[i]` of this layout: shape and strides are reordered."),
        ("negative_axes", "Negative axes count from the back."),
        ("after_permute", "Permuting a permuted layout reorders the strides that it has."),
        ("offset", "The offset stays: a permuted view starts where the view starts."),
        ("axes_refused", "A repeated, missing or unknown axis is a ValueError."),
    ),
    "broadcast_to": (
        ("length_one", "An axis of length 1 takes the new length and stride 0; the other axes keep their strides."),
        ("new_axes", "Axes are aligned at the right; new axes stand in front, with stride 0."),
        ("after_permute", "The other axes keep the strides that they have."),
        ("offset", "The offset stays: a broadcast view starts where the view starts."),
        ("shape_refused", "A length that is neither equal nor stretched from 1 is a ValueError; so are fewer axes."),
    ),
    "getitem": (
        ("slices", "The offset moves to the first chosen element: by start times the stride of each axis."),
        ("step", "Strides grow by the step; a negative step walks backwards."),
        ("integer", "An integer chooses one position and keeps its axis, with length 1."),
        ("negative", "Negative numbers count from the end."),
        ("clamped", "A slice ends where the axis ends, and may be empty."),
        ("fewer", "Axes without an index are taken whole; `...` stands for as many axes as are missing."),
        ("view_of_view", "Offsets add up and strides multiply: a slice of a slice starts inside the first."),
    ),
}
Step = tuple[str, Any]


def cases(draw: Draw, operation: str) -> list[ViewCase]:
    """The cases of one view operation."""
    return _CASES[operation](draw)


def _inside(check: str, base: tuple[int, ...], block: tuple[slice, ...], *steps: Step) -> ViewCase:
    """A chain of legal steps that begins with a block of a buffer: strides are not compact, and the offset is not 0."""
    whole = numbered(*base)
    start = view_of(whole[block], check, "", whole.size)
    case = _right(check, base, ("getitem", block), *steps)
    return replace(case, start=(start.shape, start.strides, start.offset), steps=steps)


def _right(check: str, base: tuple[int, ...], *steps: Step) -> ViewCase:
    """A chain of legal steps on a whole buffer of shape `base`."""
    whole = numbered(*base)
    array = whole
    for name, argument in steps:
        array = _STEPS[name](array, argument)
    view = view_of(array, check, "", whole.size)
    return _make(check, base, steps, (view.shape, view.strides, view.offset))


def _refused(check: str, error: str, base: tuple[int, ...], *steps: Step) -> ViewCase:
    """A chain whose last step must raise `error`."""
    return _make(check, base, steps, error)


def _make(check: str, base: tuple[int, ...], steps: tuple[Step, ...], expected: Any) -> ViewCase:
    whole = view_of(numbered(*base), check, "", 0)
    size = int(np.prod(base, dtype=np.int64))
    note = f"{base}" + "".join(_spoken(step) for step in steps)
    return ViewCase("", check, (base, whole.strides, 0), size, steps, expected, note)


def _getitem(array: Array, index: Any) -> Array:
    """NumPy's indexing, with an integer made a slice of length 1 so that the axis stays."""
    items = index if isinstance(index, tuple) else (index,)
    axes = [k for k in range(array.ndim)]
    if Ellipsis in items:
        dots = items.index(Ellipsis)
        axes = axes[:dots] + [-1] + axes[array.ndim - (len(items) - dots - 1) :]
    kept = []
    for item, axis in zip(items, axes[: len(items)], strict=True):
        if isinstance(item, int):
            item = item % array.shape[axis]
            item = slice(item, item + 1)
        kept.append(item)
    return array[tuple(kept)]


_STEPS: dict[str, Callable[[Array, Any], Array]] = {
    "reshape": lambda array, shape: array.reshape(shape),
    "permute": lambda array, axes: array.transpose(axes),
    "broadcast_to": lambda array, shape: np.broadcast_to(array, shape),
    "getitem": _getitem,
}


def _reshape(draw: Draw) -> list[ViewCase]:
    found = [
        _right("shape", base, ("reshape", new))
        for base, new in (((2, 3), (6,)), ((6,), (2, 3)), ((3, 4), (2, 6)), ((0, 3), (3, 0)))
    ]
    for _ in range(3):
        a, b, c = (int(n) for n in draw.integers(3, 2, 6))
        found.append(_right("shape", (a, b, c), ("reshape", (c, a * b))))
        found.append(_right("minus_one", (a, b, c), ("reshape", (b, -1))))
    found += [
        _right("minus_one", base, ("reshape", new))
        for base, new in (((2, 6), (-1,)), ((2, 6), (3, -1)), ((2, 3, 4), (-1, 4)))
    ]
    ranks = (((2, 3), (1, 2, 1, 3)), ((1,), ()), ((), (1, 1)), ((1, 5, 1), (5,)))
    found += [_right("ranks", base, ("reshape", new)) for base, new in ranks]
    counts = (((2, 3), (4, 2)), ((2, 3), (5,)), ((2, 3), (4, -1)), ((2, 3), ()), ((2, 6), (-1, -1)))
    found += [_refused("count_refused", "ValueError", base, ("reshape", new)) for base, new in counts]
    found.append(_right("offset", (4, 3), ("getitem", (slice(1, 3),)), ("reshape", (6,))))
    found.append(_right("offset", (5, 2, 3), ("getitem", (slice(2, 5),)), ("reshape", (3, 6))))
    found.append(_right("offset", (7,), ("getitem", (slice(3, 7),)), ("reshape", (2, -1))))
    column = (slice(None), slice(1, 3))
    for before in (
        ("permute", (1, 0)),
        ("getitem", column),
        ("broadcast_to", (4, 2, 3)),
        ("getitem", (slice(0, 2), slice(0, 4, 2))),
    ):
        base = (1, 2, 3) if before[0] == "broadcast_to" else (2, 4)
        count = {"permute": 8, "broadcast_to": 24}.get(before[0], 4)
        found.append(_refused("not_contiguous_refused", "ValueError", base, before, ("reshape", (count,))))
    return found


def _permute(draw: Draw) -> list[ViewCase]:
    block = (slice(2, 5), slice(1, 3))
    found = [
        _right("order", base, ("permute", axes))
        for base, axes in (((2, 3), (1, 0)), ((2, 3, 4), (2, 0, 1)), ((2, 3, 4), (1, 2, 0)), ((5,), (0,)), ((), ()))
    ]
    found += [
        _right("negative_axes", base, ("permute", axes)) for base, axes in (((2, 3), (-1, 0)), ((2, 3, 4), (1, -1, -3)))
    ]
    found.append(_right("after_permute", (2, 3, 4), ("permute", (2, 0, 1)), ("permute", (1, 0, 2))))
    found.append(_right("offset", (8, 8), ("getitem", block), ("permute", (1, 0))))
    found.append(
        _right("offset", (3, 4, 5), ("getitem", (slice(1, 3), slice(0, 4, 2), slice(2, 5))), ("permute", (1, 2, 0)))
    )
    for _ in range(4):
        rank = draw.integer(3, 5)
        base = tuple(int(n) for n in draw.integers(rank, 2, 5))
        first, second = (tuple(int(k) for k in draw.order(rank)) for _ in range(2))
        found.append(_right("order", base, ("permute", first)))
        found.append(_right("after_permute", base, ("permute", first), ("permute", second)))
        found.append(_right("offset", base, ("getitem", (slice(1, None),) * rank), ("permute", second)))
    bad = (((2, 3), (0, 0)), ((2, 3), (0, 2)), ((2, 3, 4), (1, 0)), ((2, 3), (0, 1, 1)))
    return found + [_refused("axes_refused", "ValueError", base, ("permute", axes)) for base, axes in bad]


def _broadcast_to(draw: Draw) -> list[ViewCase]:
    one = (
        ((3, 1), (3, 4)),
        ((1, 5), (4, 5)),
        ((2, 1, 3), (2, 4, 3)),
        ((1, 1), (3, 3)),
        ((2, 3), (2, 3)),
        ((1, 3), (0, 3)),
    )
    new = (((3,), (2, 3)), ((2, 1), (4, 2, 3)), ((), (2, 3)), ((2, 3), (4, 2, 3)))
    found = [_right("length_one", base, ("broadcast_to", shape)) for base, shape in one]
    found += [_right("new_axes", base, ("broadcast_to", shape)) for base, shape in new]
    found.append(_right("after_permute", (1, 4, 3), ("permute", (2, 0, 1)), ("broadcast_to", (3, 5, 4))))
    found.append(_right("offset", (5, 6), ("getitem", (slice(3, 4),)), ("broadcast_to", (4, 6))))
    found.append(_right("offset", (6, 5), ("getitem", (slice(1, 6, 2), slice(2, 3))), ("broadcast_to", (3, 7))))
    for _ in range(4):
        base = tuple(int(n) for n in draw.integers(3, 2, 5))
        axis, length, row = draw.integer(0, 2), draw.integer(2, 6), 1
        thin = tuple(1 if k == axis else n for k, n in enumerate(base))
        wide = tuple(length if k == axis else n for k, n in enumerate(base))
        cut = tuple(slice(row, row + 1) if k == axis else slice(None) for k in range(3))
        found.append(_right("length_one", thin, ("broadcast_to", wide)))
        found.append(_right("offset", base, ("getitem", cut), ("broadcast_to", wide)))
        found.append(_right("new_axes", thin, ("broadcast_to", (draw.integer(2, 4), *wide))))
    bad = (((2, 3), (2, 4)), ((2, 3), (4, 3)), ((2, 3), (3,)), ((3, 1), (3,)), ((3, 1), (1, 1)))
    return found + [_refused("shape_refused", "ValueError", base, ("broadcast_to", shape)) for base, shape in bad]


def _s(*numbers: int | None) -> slice:
    return slice(*numbers)


_EVERY = _s(None)
_INDICES: tuple[tuple[str, tuple[int, ...], Any], ...] = (
    ("slices", (2, 3), (_EVERY, _s(1, 3))),
    ("slices", (8, 8), (_s(2, 5), _s(1, 3))),
    ("slices", (7,), (_s(3, None),)),
    ("step", (7,), (_s(0, 7, 2),)),
    ("step", (8,), (_s(1, 8, 3),)),
    ("step", (7, 11), (_s(0, 7, 2), _s(1, 11, 3))),
    ("step", (5,), (_s(0, 5, 9),)),
    ("step", (6,), (_s(None, None, -1),)),
    ("step", (5, 7), (_s(4, 0, -2), _s(1, 6, 2))),
    ("integer", (2, 3), (1, _EVERY)),
    ("integer", (4, 3), (2, 1)),
    ("integer", (5,), 3),
    ("negative", (4, 3), (-1, _EVERY)),
    ("negative", (4, 3), (_s(-3, -1), _EVERY)),
    ("negative", (4, 5), (_s(-2, None), _s(None, -1))),
    ("clamped", (4, 3), (_s(2, 100), _EVERY)),
    ("clamped", (4, 3), (_s(-100, 2), _EVERY)),
    ("clamped", (4, 3), (_s(3, 1), _EVERY)),
    ("clamped", (4, 3), (_s(4, None), _EVERY)),
    ("fewer", (4, 3), _s(1, 3)),
    ("fewer", (2, 3, 4), (Ellipsis, _s(1, 3))),
    ("fewer", (2, 3, 4), (1, Ellipsis, 2)),
    ("fewer", (2, 3, 4), Ellipsis),
)


def _getitem_cases(draw: Draw) -> list[ViewCase]:
    found = [_right(check, base, ("getitem", index)) for check, base, index in _INDICES]
    inner = (_s(1, 3), _s(1, 3))
    found.append(_right("view_of_view", (8, 8), ("getitem", (_s(2, 8), _s(2, 8))), ("getitem", inner)))
    found.append(_right("view_of_view", (8, 9), ("permute", (1, 0)), ("getitem", (_s(2, 8), _s(1, 7, 2)))))
    found.append(_inside("view_of_view", (8, 9), (_s(2, 8), _s(3, 8)), ("getitem", (_s(1, 5, 2), _s(2, None)))))
    found.append(
        _inside("view_of_view", (5, 6, 7), (_s(1, 5), _s(2, 6), _s(3, 7)), ("getitem", (2, Ellipsis, _s(1, 4))))
    )
    found.append(_right("view_of_view", (20,), ("getitem", _s(3, None, 3)), ("getitem", _s(1, None, 2))))
    for _ in range(4):
        base = tuple(int(n) for n in draw.integers(draw.integer(2, 3), 4, 9))
        first, second = (
            tuple(_s(draw.integer(0, 1), draw.integer(n - 1, n), draw.integer(1, 2)) for n in base) for _ in range(2)
        )
        found.append(_right("slices", base, ("getitem", tuple(_s(i.start, i.stop) for i in first))))
        found.append(_right("step", base, ("getitem", first)))
        found.append(_right("view_of_view", base, ("getitem", first), ("getitem", second)))
    return found


def _spoken(step: Step) -> str:
    name, argument = step
    if name != "getitem":
        return f".{name}({argument})"
    items = argument if isinstance(argument, tuple) else (argument,)
    return "[" + ", ".join(_index(item) for item in items) + "]"


def _index(item: Any) -> str:
    if item is Ellipsis:
        return "..."
    if not isinstance(item, slice):
        return str(item)
    ends = ":".join("" if end is None else str(end) for end in (item.start, item.stop))
    return ends if item.step is None else f"{ends}:{item.step}"


_CASES: dict[str, Callable[[Draw], list[ViewCase]]] = {
    "reshape": _reshape,
    "permute": _permute,
    "broadcast_to": _broadcast_to,
    "getitem": _getitem_cases,
}
