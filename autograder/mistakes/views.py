"""Models of mistakes in the view operations: the layout that a method returns when one thing is forgotten."""

from __future__ import annotations

import math
from typing import Any

from autograder.mistakes import getitem
from autograder.mistakes.compact import compact_strides
from autograder.mistakes.view_algebra import (
    Layout,
    Refused,
    broadcast_to,
    contiguous,
    permute,
    reshape,
    resolve,
)
from autograder.mistakes.view_model import COMPACT, KEEPS, RAISED, ViewMistake, recomputed, with_strides, without_offset

__all__ = ["MISTAKES", "RAISED", "ViewMistake"]


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
    ViewMistake("offset-dropped", KEEPS, without_offset(reshape)),
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
        with_strides(reshape, lambda before, after, _: compact_strides(after[0][::-1])[::-1]),
    ),
    ViewMistake(
        "strides-of-length",
        "Every stride is the length of the next axis: how many elements does one step along an axis skip?",
        with_strides(reshape, lambda before, after, _: (*after[0][1:], 1) if after[0] else ()),
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
    ViewMistake("offset-dropped", KEEPS, without_offset(permute)),
    ViewMistake(
        "strides-not-permuted",
        "The shape is reordered, the strides are not: both belong to the axes.",
        with_strides(permute, lambda before, after, _: before[1]),
    ),
    ViewMistake(
        "shape-not-permuted",
        "The strides are reordered, the shape is not: both belong to the axes.",
        lambda layout, axes: (layout[0], *permute(layout, axes)[1:]),
    ),
    ViewMistake("strides-recomputed", COMPACT, recomputed(permute)),
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
    ViewMistake("offset-dropped", KEEPS, without_offset(broadcast_to)),
    ViewMistake(
        "stride-kept",
        "A stretched axis keeps its stride: which stride makes every index reach the same element?",
        with_strides(broadcast_to, lambda before, after, _: (0,) * (len(after[0]) - len(before[0])) + before[1]),
    ),
    ViewMistake("strides-recomputed", COMPACT, recomputed(broadcast_to)),
    ViewMistake(
        "compact-where-not-stretched",
        "The strides of the axes that are not stretched are recomputed: they stay as they are.",
        with_strides(
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
        with_strides(broadcast_to, lambda before, after, _: (0,) * len(after[0])),
    ),
    ViewMistake("aligned-left", "Shapes are aligned at the left: new axes stand in front.", _left_aligned),
    ViewMistake(
        "new-axes-refused", "New axes are refused: they stand in front and repeat everything.", _same_rank_only
    ),
    ViewMistake("shape-not-checked", "A shape that does not fit is accepted.", _broadcast_unchecked),
)


MISTAKES: dict[str, tuple[ViewMistake, ...]] = {
    "reshape": RESHAPE,
    "permute": PERMUTE,
    "broadcast_to": BROADCAST_TO,
    "getitem": getitem.MISTAKES,
}
