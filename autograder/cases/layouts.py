"""Layouts for cases: a fixed list that every run contains, then drawn ones.

Every layout is made by NumPy's own view operations on a buffer of element numbers: the oracle is NumPy, not our code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from autograder.cases.draw import Draw

Array = np.ndarray[Any, np.dtype[np.int64]]

KINDS = ("contiguous", "permuted", "offset", "step", "reversed", "broadcast", "view_of_view", "rank")


class View(NamedTuple):
    """One flat buffer of `allocation` elements seen as an array; `kind` is the check that it belongs to."""

    kind: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    allocation: int
    note: str

    @property
    def size(self) -> int:
        """The number of indices of the layout."""
        return int(np.prod(self.shape, dtype=np.int64))

    def facts(self) -> dict[str, Any]:
        """What diagnosis and pictures need to know."""
        return {"shape": self.shape, "strides": self.strides, "offset": self.offset, "allocation": self.allocation}


def numbered(*shape: int) -> Array:
    """A whole buffer seen as `shape`: each element holds its own position."""
    return np.arange(int(np.prod(shape, dtype=np.int64)), dtype=np.int64).reshape(shape)


def view_of(array: Array, kind: str, note: str, allocation: int) -> View:
    """The layout of a NumPy view of `numbered(...)`."""
    strides = tuple(stride // array.itemsize for stride in array.strides)
    offset = int(array[(0,) * array.ndim]) if array.size else 0
    return View(kind, array.shape, strides, offset, allocation, note)


def _made(kind: str, note: str, base: tuple[int, ...], make: Callable[[Array], Array]) -> View:
    whole = numbered(*base)
    return view_of(make(whole), kind, note, whole.size)


def must_layouts() -> Iterator[View]:
    """The fixed layouts, smallest first within each kind."""
    for shape in ((5,), (3, 4), (2, 3, 4), (1,), (0, 3), (257,), (41, 27)):
        yield _made("contiguous", f"a whole {_times(shape)} array", shape, lambda w: w)
    yield _made("permuted", "the transpose of a 2x3", (2, 3), lambda w: w.T)
    yield _made("permuted", "a 2x3x4 with its axes in the order 2, 0, 1", (2, 3, 4), lambda w: w.transpose(2, 0, 1))
    yield _made("permuted", "a 3x4x5 with its last two axes swapped", (3, 4, 5), lambda w: w.transpose(0, 2, 1))
    yield _made("permuted", "the transpose of a 41x27", (41, 27), lambda w: w.T)
    yield _made("offset", "the last two columns of a 2x3", (2, 3), lambda w: w[:, 1:])
    yield _made("offset", "the second row of a 2x3", (2, 3), lambda w: w[1:2, :])
    yield _made("offset", "rows 2 to 4 and columns 1 to 2 of an 8x8", (8, 8), lambda w: w[2:5, 1:3])
    yield _made("offset", "a 2x3x3 block of a 4x5x6", (4, 5, 6), lambda w: w[1:3, 2:5, 1:4])
    yield _made("offset", "elements 3 to 1003 of 1025", (1025,), lambda w: w[3:1004])
    yield _made("step", "every second element of 7", (7,), lambda w: w[::2])
    yield _made("step", "every second row and every third column of a 7x11", (7, 11), lambda w: w[::2, ::3])
    yield _made("step", "every fifth element of 1285", (1285,), lambda w: w[::5])
    yield _made("reversed", "5 elements from the last to the first", (5,), lambda w: w[::-1])
    yield _made("reversed", "a 3x4 with its columns reversed", (3, 4), lambda w: w[:, ::-1])
    yield _made("reversed", "a 2x3x4 with its first and last axes reversed", (2, 3, 4), lambda w: w[::-1, :, ::-1])
    yield _made("reversed", "every second column of a 3x5, from the last row up", (3, 5), lambda w: w[::-1, ::2])
    yield _made("broadcast", "a 3x1 broadcast to 3x4", (3, 1), lambda w: np.broadcast_to(w, (3, 4)))
    yield _made("broadcast", "a 1x5 broadcast to 4x5", (1, 5), lambda w: np.broadcast_to(w, (4, 5)))
    yield _made(
        "broadcast",
        "a 2x3 broadcast to 2x3x4 along a new last axis",
        (2, 3, 1),
        lambda w: np.broadcast_to(w, (2, 3, 4)),
    )
    yield _made("broadcast", "one element broadcast to 17x19", (1, 1), lambda w: np.broadcast_to(w, (17, 19)))
    yield _made("view_of_view", "a 2x2 block of a 6x6 block of an 8x8", (8, 8), lambda w: w[2:8, 2:8][1:3, 1:3])
    yield _made("view_of_view", "the transpose of a 3x2 block of an 8x8", (8, 8), lambda w: w[2:5, 1:3].T)
    yield _made("view_of_view", "a row of a 5x6 broadcast to 4x6", (5, 6), lambda w: np.broadcast_to(w[3:4, :], (4, 6)))
    yield _made(
        "view_of_view", "every second element of every third of 40, from the fifth on", (40,), lambda w: w[4::3][1::2]
    )
    yield _made("view_of_view", "a block of a 4x5x6, axes reversed", (4, 5, 6), lambda w: w[1:3, 2:5, ::2].T)
    yield from _ranks()


def _ranks() -> Iterator[View]:
    yield _made("rank", "one element as an array without axes", (1,), lambda w: w.reshape(()))
    yield _made("offset", "element 3 of 6 as an array without axes", (6,), lambda w: w[3:4].reshape(()))
    yield _made("rank", "a 2x3x2x3x2 with its axes reversed", (2, 3, 2, 3, 2), lambda w: w.transpose(4, 3, 2, 1, 0))
    yield _made(
        "rank",
        "8 axes, in the order 7, 0, 6, 1, 5, 2, 4, 3",
        (2, 1, 3, 2, 1, 2, 2, 3),
        lambda w: w.transpose(7, 0, 6, 1, 5, 2, 4, 3),
    )
    yield _made("rank", "10 axes of length 2, reversed", (2,) * 10, lambda w: w.transpose(*range(9, -1, -1)))
    yield _made("rank", "32 axes, all but four of length 1", (1, 1, 1, 2) * 4 + (1,) * 16, lambda w: w.T)


def drawn_layouts(draw: Draw, rounds: int) -> Iterator[View]:
    """`rounds` drawn layouts of every kind."""
    for _ in range(rounds):
        for kind in KINDS:
            yield _drawn(draw, kind)


def _drawn(draw: Draw, kind: str) -> View:
    rank = draw.integer(5, 7) if kind == "rank" else draw.integer(2, 4)
    lengths = draw.integers(rank, 2, 3 if kind == "rank" else 7)
    base = tuple(int(length) for length in lengths)
    whole = numbered(*base)
    array = whole
    for step in _RECIPES[kind]:
        array = step(draw, array)
    return view_of(array, kind, f"a drawn view of a {_times(base)}: {_words(kind)}", whole.size)


def _permute(draw: Draw, array: Array) -> Array:
    axes = [int(axis) for axis in draw.order(array.ndim)]
    if axes == sorted(axes):
        axes.reverse()
    return array.transpose(axes)


def _cut(draw: Draw, array: Array) -> Array:
    starts = [draw.integer(0, length - 1) for length in array.shape]
    starts[0] = max(starts[0], 1) if array.shape[0] > 1 else 0
    return array[
        tuple(slice(start, draw.integer(start + 1, length)) for start, length in zip(starts, array.shape, strict=True))
    ]


def _step(draw: Draw, array: Array) -> Array:
    return array[tuple(slice(None, None, draw.integer(2, 3)) for _ in array.shape)]


def _flip(draw: Draw, array: Array) -> Array:
    return np.flip(array, axis=draw.integer(0, array.ndim - 1))


def _stretch(draw: Draw, array: Array) -> Array:
    axis = draw.integer(0, array.ndim - 1)
    kept = array[tuple(slice(0, 1) if k == axis else slice(None) for k in range(array.ndim))]
    return np.broadcast_to(kept, tuple(draw.integer(2, 5) if k == axis else n for k, n in enumerate(array.shape)))


Step = Callable[[Draw, Array], Array]
_RECIPES: dict[str, tuple[Step, ...]] = {
    "contiguous": (),
    "permuted": (_permute,),
    "offset": (_cut,),
    "step": (_step,),
    "reversed": (_flip,),
    "broadcast": (_stretch,),
    "view_of_view": (_cut, _permute, _step),
    "rank": (_permute,),
}


def _words(kind: str) -> str:
    return {
        "contiguous": "all of it",
        "permuted": "axes permuted",
        "offset": "a block of it",
        "step": "with steps",
        "reversed": "one axis reversed",
        "broadcast": "one axis broadcast",
        "view_of_view": "a block, permuted, with steps",
        "rank": "many axes, permuted",
    }[kind]


def _times(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) if len(shape) > 1 else f"{shape[0]}-element"
