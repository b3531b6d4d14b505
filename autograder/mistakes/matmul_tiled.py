"""Models of mistakes in `matmul_tiled`: which tile is taken, and how a tile is read."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.case import Case, Float64
from autograder.cases import bounds
from autograder.cases.oracle import product
from autograder.mistakes.matmul import not_zeroed
from autograder.mistakes.model import Mistake, Prediction, predicted, unwritten

Tiles = Float64  # (tile rows, tile columns, t, t)
Count = tuple[int, int, int]  # tiles along m, n and p


def _tiles(case: Case) -> tuple[Float64, Float64, Count, int]:
    t = case.facts["tile"]
    count = (case.facts["m"] // t, case.facts["n"] // t, case.facts["p"] // t)
    a, b = (buffer.before.astype(np.float64).reshape(-1, t, t) for buffer in case.buffers[:2])
    return a, b, count, t


@dataclass(frozen=True)
class Walk:
    """The product tile by tile: which tiles are taken, how they are turned, and which of a sum's pairs are added up."""

    a: Callable[[int, int, Count], int] = lambda i, j, c: i * c[1] + j
    b: Callable[[int, int, Count], int] = lambda j, k, c: j * c[2] + k
    out: Callable[[int, int, Count], int] = lambda i, k, c: i * c[2] + k
    turn: Callable[[Any, Any], tuple[Any, Any]] = lambda a, b: (a, b)
    inner: Callable[[int], range] = range

    def product(self, a: Tiles, b: Tiles, before: Tiles, c: Count) -> Tiles | None:
        """The tiles of `out` after the walk, None if it leaves the operands."""
        out = before.copy()
        started: set[int] = set()
        for i, k in itertools.product(range(c[0]), range(c[2])):
            target = self.out(i, k, c)
            pairs = [(self.a(i, j, c), self.b(j, k, c)) for j in self.inner(c[1])]
            if target >= len(out) or any(x >= len(a) or y >= len(b) for x, y in pairs):
                return None
            if target not in started:
                out[target] = 0.0
                started.add(target)
            for x, y in pairs:
                left, right = self.turn(a[x], b[y])
                out[target] += left @ right
        return out


def _multiply(**changes: Any) -> Callable[[Case], Prediction | None]:
    """A walk that differs from the right one in `changes`."""
    walk = Walk(**changes)

    def predict(case: Case) -> Prediction | None:
        a, b, c, t = _tiles(case)
        before = case.buffers[2].before.astype(np.float64).reshape(-1, t, t)
        values = walk.product(a, b, before, c)
        if values is None or case.check != "rounding":
            return None if values is None else predicted(case, values.reshape(-1))
        magnitudes = walk.product(np.abs(a), np.abs(b), np.zeros_like(before), c)
        bound = None if magnitudes is None else bounds.of_sum(magnitudes.reshape(-1), case.facts["n"] + 1)
        return predicted(case, values.reshape(-1), 0.0 if bound is None else bound)

    return predict


def _as_row_major(case: Case) -> Prediction | None:
    """The buffers taken for plain row-major matrices."""
    m, n, p = (case.facts[name] for name in "mnp")
    a, b = (buffer.before.astype(np.float64) for buffer in case.buffers[:2])
    bound: Float64 | float = 0.0
    if case.check == "rounding":
        bound = bounds.of_sum(product(np.abs(a), np.abs(b), m, n, p), n + 1)
    return predicted(case, product(a, b, m, n, p), bound)


MISTAKES = (
    unwritten()[0],
    not_zeroed("`out` holds garbage on entry, and the tile product adds: what does it start from?"),
    Mistake(
        "b-by-left-width",
        "The tiles of `b` look counted by the width of `a`: how many tiles stand in one row of tiles of `b`?",
        _multiply(b=lambda j, k, c: j * c[1] + k),
    ),
    Mistake(
        "out-by-left-width",
        "The tiles of `out` look counted by the width of `a`: how many tiles stand in one row of tiles of `out`?",
        _multiply(out=lambda i, k, c: i * c[1] + k),
    ),
    Mistake(
        "a-by-right-width",
        "The tiles of `a` look counted by the width of `b`: how many tiles stand in one row of tiles of `a`?",
        _multiply(a=lambda i, j, c: i * c[2] + j),
    ),
    Mistake("a-tiles-transposed", "The tiles of `a` look taken by columns.", _multiply(a=lambda i, j, c: j * c[0] + i)),
    Mistake("b-tiles-transposed", "The tiles of `b` look taken by columns.", _multiply(b=lambda j, k, c: k * c[1] + j)),
    Mistake(
        "out-tiles-transposed",
        "The tiles of `out` look stored by columns.",
        _multiply(out=lambda i, k, c: k * c[0] + i),
    ),
    Mistake(
        "a-tile-turned", "Within a tile of `a`, rows and columns look swapped.", _multiply(turn=lambda a, b: (a.T, b))
    ),
    Mistake(
        "b-tile-turned", "Within a tile of `b`, rows and columns look swapped.", _multiply(turn=lambda a, b: (a, b.T))
    ),
    Mistake(
        "tiles-swapped", "A tile product looks to be b times a: the order counts.", _multiply(turn=lambda a, b: (b, a))
    ),
    Mistake(
        "tile-element-wise",
        "Tiles look multiplied element by element: a tile product is a matrix product.",
        _multiply(turn=lambda a, b: (np.eye(len(a)), a * b)),
    ),
    Mistake(
        "first-tile-only",
        "Only the first pair of tiles of every sum is there.",
        _multiply(inner=lambda n: range(min(n, 1))),
    ),
    Mistake(
        "last-tile-only",
        "Only the last pair of tiles of every sum is left: does the tile product add, or assign?",
        _multiply(inner=lambda n: range(max(n - 1, 0), n)),
    ),
    Mistake(
        "inner-tile-missed",
        "The last pair of tiles of every sum is missing.",
        _multiply(inner=lambda n: range(max(n - 1, 0))),
    ),
    Mistake(
        "taken-for-row-major",
        "The operands look taken for plain row-major matrices: they are stored tile after tile.",
        _as_row_major,
    ),
    *unwritten(tails=())[1:],
)
