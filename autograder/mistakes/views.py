"""Models of mistakes in the view operations: the layout that a method returns when one thing is forgotten."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograder.case import ViewCase
from autograder.mistakes.compact import compact_strides
from autograder.mistakes.view_algebra import (
    RIGHT,
    Layout,
    Operation,
    Refused,
    Shape,
    broadcast_to,
    chosen,
    contiguous,
    getitem,
    permute,
    reshape,
    resolve,
    sliced,
)

RAISED = "raised "  # the prediction that an error is raised; the name of its class follows if it is a wrong one


@dataclass(frozen=True)
class ViewMistake:
    """One mistake in one view operation; `operation` does what a method with this mistake does."""

    name: str
    sentence: str
    operation: Operation

    def predict(self, case: ViewCase) -> Layout | str | None:
        """The layout after the steps of `case`, each of the exercise's own operation made with the mistake."""
        exercise = case.steps[-1][0]
        layout = case.start
        for name, argument in case.steps:
            try:
                layout = (self.operation if name == exercise else RIGHT[name])(layout, argument)
            except Refused:
                return RAISED
            except (ValueError, IndexError, TypeError) as error:
                return RAISED + type(error).__name__
        return layout


def _without_offset(operation: Operation) -> Operation:
    def changed(layout: Layout, argument: Any) -> Layout:
        shape, strides, _ = operation(layout, argument)
        return shape, strides, 0

    return changed


def _with_strides(operation: Operation, make: Callable[[Layout, Layout, Any], Shape]) -> Operation:
    """The right result with other strides, made from the layout before, the right layout after, and the argument."""

    def changed(layout: Layout, argument: Any) -> Layout:
        right = operation(layout, argument)
        return right[0], make(layout, right, argument), right[2]

    return changed


_KEEPS = "The offset is dropped: a view of a view starts where the first view starts."
_COMPACT = "The strides are those of a fresh array of the new shape: the elements still lie where they lay."


def _recomputed(operation: Operation) -> Operation:
    return _with_strides(operation, lambda before, after, _: compact_strides(after[0]))


def _reshape_careless(layout: Layout, new: Any) -> Layout:
    shape = resolve(tuple(new), math.prod(layout[0]))
    if math.prod(shape) != math.prod(layout[0]):
        raise Refused
    return shape, compact_strides(shape), layout[2]


def _reshape_any_count(layout: Layout, new: Any) -> Layout:
    shape = resolve(tuple(new), math.prod(layout[0]))
    if not contiguous(layout):
        raise Refused
    return shape, compact_strides(shape), layout[2]


def _reshape_without_minus_one(layout: Layout, new: Any) -> Layout:
    if -1 in new:
        raise Refused
    return reshape(layout, new)


def _reshape_without_offset_allowed(layout: Layout, new: Any) -> Layout:
    if layout[2] != 0:
        raise Refused
    return reshape(layout, new)


RESHAPE = (
    ViewMistake("offset-dropped", _KEEPS, _without_offset(reshape)),
    ViewMistake(
        "not-contiguous-accepted",
        "A layout that is not contiguous is reshaped: its elements do not lie one behind the other.",
        _reshape_careless,
    ),
    ViewMistake("count-not-checked", "A shape with another number of elements is accepted.", _reshape_any_count),
    ViewMistake(
        "minus-one-refused",
        "-1 is refused: it stands for the length that the others leave.",
        _reshape_without_minus_one,
    ),
    ViewMistake(
        "offset-refused",
        "A contiguous view that does not start at element 0 is refused: the offset does not matter for reshape.",
        _reshape_without_offset_allowed,
    ),
    ViewMistake(
        "column-major-strides",
        "The new strides are column-major: along which axis are neighbours in memory?",
        _with_strides(reshape, lambda before, after, _: compact_strides(after[0][::-1])[::-1]),
    ),
    ViewMistake(
        "strides-of-length",
        "Every stride is the length of the next axis: how many elements does one step along an axis skip?",
        _with_strides(reshape, lambda before, after, _: (*after[0][1:], 1) if after[0] else ()),
    ),
)


def _permute_unchecked(layout: Layout, axes: Any) -> Layout:
    shape, strides, offset = layout
    return tuple(shape[k] for k in axes), tuple(strides[k] for k in axes), offset


def _inverse(layout: Layout, axes: Any) -> Layout:
    positive = tuple(axis % len(axes) for axis in axes) if axes else ()
    permute(layout, axes)
    return permute(layout, tuple(positive.index(k) for k in range(len(positive))))


def _permute_positive_only(layout: Layout, axes: Any) -> Layout:
    if any(axis < 0 for axis in axes):
        raise Refused
    return permute(layout, axes)


PERMUTE = (
    ViewMistake("offset-dropped", _KEEPS, _without_offset(permute)),
    ViewMistake(
        "strides-not-permuted",
        "The shape is reordered, the strides are not: both belong to the axes.",
        _with_strides(permute, lambda before, after, _: before[1]),
    ),
    ViewMistake(
        "shape-not-permuted",
        "The strides are reordered, the shape is not: both belong to the axes.",
        lambda layout, axes: (layout[0], *permute(layout, axes)[1:]),
    ),
    ViewMistake("strides-recomputed", _COMPACT, _recomputed(permute)),
    ViewMistake("inverse-order", "The axes go the other way: axis i of the result is axis new_axes[i].", _inverse),
    ViewMistake(
        "axes-reversed",
        "The axes are simply reversed.",
        lambda layout, axes: permute(layout, tuple(range(len(axes)))[::-1]),
    ),
    ViewMistake(
        "axes-not-checked",
        "Axes that are no permutation are accepted: each axis must be named once.",
        _permute_unchecked,
    ),
    ViewMistake(
        "negative-axes-refused", "Negative axes are refused: they count from the back.", _permute_positive_only
    ),
)


def _left_aligned(layout: Layout, new: Any) -> Layout:
    added = len(new) - len(layout[0])
    padded = (layout[0] + (1,) * max(added, 0), layout[1] + (0,) * max(added, 0), layout[2])
    return broadcast_to(padded, new)


def _same_rank_only(layout: Layout, new: Any) -> Layout:
    if len(new) != len(layout[0]):
        raise Refused
    return broadcast_to(layout, new)


def _broadcast_unchecked(layout: Layout, new: Any) -> Layout:
    shape, strides, offset = layout
    added = max(len(new) - len(shape), 0)
    pairs = zip(shape, strides, new[added:], strict=False)
    kept = tuple(s if n == want else 0 for n, s, want in pairs)
    return tuple(new), ((0,) * added + kept)[: len(new)], offset


BROADCAST_TO = (
    ViewMistake("offset-dropped", _KEEPS, _without_offset(broadcast_to)),
    ViewMistake(
        "stride-kept",
        "A stretched axis keeps its stride: which stride makes every index reach the same element?",
        _with_strides(broadcast_to, lambda before, after, _: (0,) * (len(after[0]) - len(before[0])) + before[1]),
    ),
    ViewMistake("strides-recomputed", _COMPACT, _recomputed(broadcast_to)),
    ViewMistake(
        "compact-where-not-stretched",
        "The strides of the axes that are not stretched are recomputed: they stay as they are.",
        _with_strides(
            broadcast_to,
            lambda before, after, _: tuple(
                s and c
                for s, c in zip(
                    after[1],
                    (0,) * (len(after[0]) - len(before[0])) + compact_strides(before[0]),
                    strict=True,
                )
            ),
        ),
    ),
    ViewMistake(
        "all-strides-zero",
        "All strides are 0: only stretched and new axes repeat one element.",
        _with_strides(broadcast_to, lambda before, after, _: (0,) * len(after[0])),
    ),
    ViewMistake("aligned-left", "Shapes are aligned at the left: new axes stand in front.", _left_aligned),
    ViewMistake(
        "new-axes-refused", "New axes are refused: they stand in front and repeat everything.", _same_rank_only
    ),
    ViewMistake("shape-not-checked", "A shape that does not fit is accepted.", _broadcast_unchecked),
)


def _getitem_offset(make: Callable[[Layout, list[tuple[int, int, int]]], int]) -> Operation:
    def changed(layout: Layout, index: Any) -> Layout:
        right = getitem(layout, index)
        return right[0], right[1], make(layout, chosen(layout, index))

    return changed


def _lengths(make: Callable[[int, int, int], int]) -> Operation:
    def changed(layout: Layout, index: Any) -> Layout:
        right = getitem(layout, index)
        return tuple(make(*each) for each in chosen(layout, index)), right[1], right[2]

    return changed


def _drops_integers(layout: Layout, index: Any) -> Layout:
    right = getitem(layout, index)
    items = list(index) if isinstance(index, tuple) else [index]
    if Ellipsis in items:
        at = items.index(Ellipsis)
        items[at : at + 1] = [slice(None)] * (len(right[0]) - len(items) + 1)
    kept = [k for k in range(len(right[0])) if k >= len(items) or isinstance(items[k], slice)]
    return tuple(right[0][k] for k in kept), tuple(right[1][k] for k in kept), right[2]


GETITEM = (
    ViewMistake("offset-dropped", _KEEPS, lambda layout, index: sliced(layout, index, base=0)),
    ViewMistake(
        "start-ignored",
        "The offset does not move: where does the first chosen element lie?",
        _getitem_offset(lambda layout, picked: layout[2]),
    ),
    ViewMistake(
        "offset-zero",
        "The offset of the result is always 0: where does the first chosen element lie?",
        _without_offset(getitem),
    ),
    ViewMistake(
        "start-not-times-stride",
        "The offset grows by the start itself: how many elements does one step along an axis skip?",
        _getitem_offset(lambda layout, picked: layout[2] + sum(start for start, _, _ in picked)),
    ),
    ViewMistake(
        "offset-by-new-stride",
        "The offset grows by start times the new stride: start counts positions of the old axis.",
        _getitem_offset(
            lambda layout, picked: (
                layout[2] + sum(start * step * s for (start, step, _), s in zip(picked, layout[1], strict=True))
            )
        ),
    ),
    ViewMistake(
        "step-ignored",
        "The strides do not grow by the step.",
        _with_strides(getitem, lambda before, after, _: before[1]),
    ),
    ViewMistake("strides-recomputed", _COMPACT, _recomputed(getitem)),
    ViewMistake(
        "stride-is-step",
        "The new stride is the step: a step of the slice is a step along the axis.",
        lambda layout, index: (
            getitem(layout, index)[0],
            tuple(step for _, step, _ in chosen(layout, index)),
            getitem(layout, index)[2],
        ),
    ),
    ViewMistake(
        "step-added",
        "The step is added to the stride: how many elements does one step of the slice skip?",
        lambda layout, index: (
            getitem(layout, index)[0],
            tuple(s + step for s, (_, step, _) in zip(layout[1], chosen(layout, index), strict=True)),
            getitem(layout, index)[2],
        ),
    ),
    ViewMistake(
        "shape-unchanged",
        "The shape is that of the whole array: how many positions does the index choose?",
        lambda layout, index: (layout[0], *getitem(layout, index)[1:]),
    ),
    ViewMistake(
        "one-missing",
        "The last chosen position of each axis is missing.",
        _lengths(lambda start, step, n: max(n - 1, 0)),
    ),
    ViewMistake("integer-drops-axis", "An integer removes its axis: here every axis stays.", _drops_integers),
)

MISTAKES: dict[str, tuple[ViewMistake, ...]] = {
    "reshape": RESHAPE,
    "permute": PERMUTE,
    "broadcast_to": BROADCAST_TO,
    "getitem": GETITEM,
}
