"""Models of mistakes in getitem: where the chosen part starts, how far its steps reach, which axes it has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder.mistakes.view_algebra import Layout, Operation, chosen, getitem, sliced
from autograder.mistakes.view_model import COMPACT, KEEPS, ViewMistake, recomputed, with_strides, without_offset


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


MISTAKES = (
    ViewMistake("offset-dropped", KEEPS, lambda layout, index: sliced(layout, index, base=0)),
    ViewMistake(
        "start-ignored",
        "The offset does not move: where does the first chosen element lie?",
        _getitem_offset(lambda layout, picked: layout[2]),
    ),
    ViewMistake(
        "offset-zero",
        "The offset of the result is always 0: where does the first chosen element lie?",
        without_offset(getitem),
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
        with_strides(getitem, lambda before, after, _: before[1]),
    ),
    ViewMistake("strides-recomputed", COMPACT, recomputed(getitem)),
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
