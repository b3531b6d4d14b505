"""Models of mistakes in `matmul_tiled`: which tile is taken, and how a tile is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.case import Case, Float64
from autograder.mistakes.matmul import accumulates
from autograder.mistakes.model import Mistake, Prediction, gather, predicted, unwritten

Tiles = Float64  # (tile rows, tile columns, t, t)
Count = tuple[int, int, int]  # tiles along m, n and p


def _tiles(case: Case) -> tuple[Float64, Float64, Count, int]:
    t = case.facts["tile"]
    count = (case.facts["m"] // t, case.facts["n"] // t, case.facts["p"] // t)
    a, b = (buffer.before.astype(np.float64).reshape(-1, t, t) for buffer in case.buffers[:2])
    return a, b, count, t


def _multiply(
    pick_a: Callable[[int, int, Count], int] = lambda i, j, c: i * c[1] + j,
    pick_b: Callable[[int, int, Count], int] = lambda j, k, c: j * c[2] + k,
    pick_out: Callable[[int, int, Count], int] = lambda i, k, c: i * c[2] + k,
    turn: Callable[[Any, Any], tuple[Any, Any]] = lambda a, b: (a, b),
    inner: Callable[[int], range] = range,
) -> Callable[[Case], Prediction | None]:
    """The product tile by tile, with other tiles, turned tiles, or other bounds than the right ones."""

    def predict(case: Case) -> Prediction | None:
        if case.check == "rounding":
            return None
        a, b, c, t = _tiles(case)
        out = case.buffers[2].before.astype(np.float64).reshape(-1, t, t)
        started: set[int] = set()
        for i in range(c[0]):
            for k in range(c[2]):
                target = pick_out(i, k, c)
                pairs = [(pick_a(i, j, c), pick_b(j, k, c)) for j in inner(c[1])]
                if target >= len(out) or any(x >= len(a) or y >= len(b) for x, y in pairs):
                    return None
                if target not in started:
                    out[target] = 0.0
                    started.add(target)
                for x, y in pairs:
                    left, right = turn(a[x], b[y])
                    out[target] += left @ right
        return predicted(case, out.reshape(-1))

    return predict


def _as_row_major(case: Case) -> Prediction | None:
    """The buffers taken for plain row-major matrices."""
    if case.check == "rounding":
        return None
    m, n, p = (case.facts[name] for name in "mnp")
    a, b = (gather(x.before, np.arange(x.before.size, dtype=np.int64)) for x in case.buffers[:2])
    if a is None or b is None:
        return None
    return predicted(case, (a.reshape(m, n) @ b.reshape(n, p)).reshape(-1))


def _not_zeroed(case: Case) -> Prediction | None:
    if case.check == "rounding":
        return None
    return predicted(case, accumulates(case, np.asarray(case.expected[2].values)))


MISTAKES = (
    unwritten()[0],
    Mistake(
        "not-zeroed", "`out` holds garbage on entry, and the tile product adds: what does it start from?", _not_zeroed
    ),
    Mistake(
        "b-by-left-width",
        "The tiles of `b` look counted by the width of `a`: how many tiles stand in one row of tiles of `b`?",
        _multiply(pick_b=lambda j, k, c: j * c[1] + k),
    ),
    Mistake(
        "out-by-left-width",
        "The tiles of `out` look counted by the width of `a`: how many tiles stand in one row of tiles of `out`?",
        _multiply(pick_out=lambda i, k, c: i * c[1] + k),
    ),
    Mistake(
        "a-by-right-width",
        "The tiles of `a` look counted by the width of `b`: how many tiles stand in one row of tiles of `a`?",
        _multiply(pick_a=lambda i, j, c: i * c[2] + j),
    ),
    Mistake(
        "a-tiles-transposed", "The tiles of `a` look taken by columns.", _multiply(pick_a=lambda i, j, c: j * c[0] + i)
    ),
    Mistake(
        "b-tiles-transposed", "The tiles of `b` look taken by columns.", _multiply(pick_b=lambda j, k, c: k * c[1] + j)
    ),
    Mistake(
        "out-tiles-transposed",
        "The tiles of `out` look stored by columns.",
        _multiply(pick_out=lambda i, k, c: k * c[0] + i),
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
