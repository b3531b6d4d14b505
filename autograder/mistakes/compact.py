"""Models of mistakes in `compact`: where each element of `out` comes from when one thing is forgotten."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.case import Case
from autograder.cases.oracle import addresses
from autograder.mistakes.model import Indices, Mistake, Prediction, gather, predicted, unwritten, written

Shape = tuple[int, ...]
Walk = Callable[[Shape, Shape, int], Indices]  # shape, strides, offset -> the element reached by each index, in order


def compact_strides(shape: Shape) -> Shape:
    """The row-major strides of a shape."""
    strides, stride = [], 1
    for length in reversed(shape):
        strides.append(stride)
        stride *= length
    return tuple(reversed(strides))


def _in_memory_order(shape: Shape, strides: Shape, offset: int) -> Indices:
    return offset + np.arange(int(np.prod(shape, dtype=np.int64)), dtype=np.int64)


def _first_axis_fastest(shape: Shape, strides: Shape, offset: int) -> Indices:
    return addresses(shape[::-1], strides[::-1], offset)


def _flat_modulo_own_axis(shape: Shape, strides: Shape, offset: int) -> Indices:
    """Every axis takes k % length without dividing k by the lengths to its right."""
    k = np.arange(int(np.prod(shape, dtype=np.int64)), dtype=np.int64)
    return offset + sum((k % n * s for n, s in zip(shape, strides, strict=True)), np.zeros_like(k))


def _last_stride_one(shape: Shape, strides: Shape, offset: int) -> Indices:
    return addresses(shape, strides[:-1] + (1,) * len(strides[-1:]), offset)


# Name, sentence, walk: shared by compact (which reads along the walk) and setitem (which writes along it).
WALKS: tuple[tuple[str, str, Walk], ...] = (
    (
        "offset-ignored",
        "The offset looks ignored: where does index (0, ..., 0) of the view lie in the buffer?",
        lambda shape, strides, offset: addresses(shape, strides, 0),
    ),
    (
        "strides-ignored",
        "The strides look ignored: elements are taken as they lie in memory, one after another, from the offset on.",
        _in_memory_order,
    ),
    (
        "layout-ignored",
        "Strides and offset both look ignored: elements are taken as they lie in memory, from the first one on.",
        lambda shape, strides, offset: _in_memory_order(shape, strides, 0),
    ),
    (
        "first-axis-fastest",
        "The order of the indices is column-major: which index changes fastest when you walk in row-major order?",
        _first_axis_fastest,
    ),
    (
        "strides-reversed",
        "The strides look applied in reverse: check which stride goes with which axis.",
        lambda shape, strides, offset: addresses(shape, strides[::-1], offset),
    ),
    (
        "shape-for-strides",
        "The shape looks used where the strides belong.",
        lambda shape, strides, offset: addresses(shape, shape, offset),
    ),
    (
        "step-ignored",
        "The stride of the last axis looks taken as 1: neighbours of a row need not be neighbours in memory.",
        _last_stride_one,
    ),
    (
        "negative-stride-lost",
        "Negative strides look taken as positive: check signs and unsigned types.",
        lambda shape, strides, offset: addresses(shape, tuple(map(abs, strides)), offset),
    ),
    (
        "broadcast-stride-lost",
        "A stride of 0 looks replaced: it is a stride like any other.",
        lambda shape, strides, offset: addresses(
            shape, tuple(s or c for s, c in zip(strides, compact_strides(shape), strict=True)), offset
        ),
    ),
    (
        "index-not-divided",
        "Each axis looks to take the flat index modulo its own length: what is left of it after the faster axes?",
        _flat_modulo_own_axis,
    ),
    (
        "offset-twice",
        "The offset looks added twice.",
        lambda shape, strides, offset: addresses(shape, strides, 2 * offset),
    ),
    (
        "offset-per-axis",
        "The offset looks added once for every axis: it belongs to the view, not to an axis.",
        lambda shape, strides, offset: addresses(shape, strides, len(shape) * offset),
    ),
    (
        "one-too-far",
        "Every element comes from one place too far: look for an index that starts at 1.",
        lambda shape, strides, offset: addresses(shape, strides, offset + 1),
    ),
    (
        "strides-in-bytes",
        "The strides look counted in bytes: strides and offsets count elements.",
        lambda shape, strides, offset: addresses(shape, tuple(4 * s for s in strides), offset),
    ),
    (
        "layout-in-bytes",
        "Strides and offset look counted in bytes: both count elements.",
        lambda shape, strides, offset: addresses(shape, tuple(4 * s for s in strides), 4 * offset),
    ),
    (
        "offset-in-bytes",
        "The offset looks divided by the size of an element: it counts elements already.",
        lambda shape, strides, offset: addresses(shape, strides, offset // 4),
    ),
)


def _reads(walk: Walk) -> Callable[[Case], Prediction | None]:
    def predict(case: Case) -> Prediction | None:
        facts = case.facts
        return predicted(case, gather(case.buffers[0].before, walk(facts["shape"], facts["strides"], facts["offset"])))

    return predict


def _scatters(case: Case) -> Prediction | None:
    """The roles of a and out swapped: the k-th element of a is stored where the view's k-th index points in out."""
    facts = case.facts
    places = addresses(facts["shape"], facts["strides"], facts["offset"])
    values = gather(case.buffers[0].before, np.arange(places.size, dtype=np.int64))
    return None if values is None else written(case, places, values)


MISTAKES = (
    *(Mistake(name, sentence, _reads(walk)) for name, sentence, walk in WALKS),
    Mistake(
        "writes-along-the-view",
        "The view looks applied to `out`: shape, strides and offset say where to read in `a`.",
        _scatters,
    ),
    *unwritten(),
)
