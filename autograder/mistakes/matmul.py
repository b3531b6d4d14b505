"""Models of mistakes in `matmul` and `matmul_tiled`: another index, another bound, a forgotten zero."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.case import Case, Float64
from autograder.cases import bounds
from autograder.mistakes.model import (
    BAND_ELEMENTS,
    Indices,
    Mistake,
    Prediction,
    predicted,
    scatter,
    unwritten,
    written,
)

Place = Callable[[Indices, Indices], Indices]


@dataclass(frozen=True)
class Sizes:
    """The sizes of one product."""

    m: int
    n: int
    p: int


@dataclass(frozen=True)
class Loops:
    """A product as three loops over rows, columns and inner index, with the places that they read and write."""

    a: Place  # (i, j) -> element of a
    b: Place  # (j, k) -> element of b
    out: Place  # (i, k) -> element of out
    rows: int
    columns: int
    inner: range


def right_loops(s: Sizes) -> Loops:
    """The loops of a right kernel."""
    return Loops(
        lambda i, j: i * s.n + j,
        lambda j, k: j * s.p + k,
        lambda i, k: i * s.p + k,
        s.m,
        s.p,
        range(s.n),
    )


def _sizes(case: Case) -> Sizes:
    return Sizes(case.facts["m"], case.facts["n"], case.facts["p"])


def _grid(rows: Any, columns: Any, place: Place) -> Indices:
    return place(np.asarray(rows, dtype=np.int64)[:, None], np.asarray(columns, dtype=np.int64)[None, :])


def _read(buffer: Any, places: Indices) -> Float64 | None:
    if places.size and (places.min() < -BAND_ELEMENTS or places.max() >= buffer.size + BAND_ELEMENTS):
        return None
    inside = (places >= 0) & (places < buffer.size)
    values = np.full(places.shape, np.nan)
    values[inside] = buffer[places[inside]]
    return values


def _run(case: Case, loops: Loops) -> Prediction | None:
    a, b, out = case.buffers
    left = _read(a.before, _grid(range(loops.rows), loops.inner, loops.a))
    right = _read(b.before, _grid(loops.inner, range(loops.columns), loops.b))
    if left is None or right is None:
        return None
    places = _grid(range(loops.rows), range(loops.columns), loops.out).reshape(-1)
    found = written(case, places, (left @ right).reshape(-1))
    if found is None or case.check != "rounding":
        return found
    bound = bounds.of_sum(np.abs(left) @ np.abs(right), len(loops.inner) + 1).reshape(-1)
    spread = scatter(np.zeros(out.before.size, np.float32), places, bound)
    return predicted(case, found[2].values, spread if spread is not None else 0.0)


def _looped(change: Callable[[Sizes, Loops], dict[str, Any]]) -> Callable[[Case], Prediction | None]:
    """A product whose loops differ from the right ones in what `change` returns."""

    def predict(case: Case) -> Prediction | None:
        if case.function != "matmul":
            return None
        s = _sizes(case)
        loops = right_loops(s)
        return _run(case, Loops(**{**loops.__dict__, **change(s, loops)}))

    return predict


def _matrices(case: Case) -> tuple[Float64, Float64]:
    s = _sizes(case)
    a, b = (buffer.before.astype(np.float64) for buffer in case.buffers[:2])
    return a.reshape(s.m, s.n), b.reshape(s.n, s.p)


def _of_products(make: Callable[[Case, Float64], Float64 | None]) -> Callable[[Case], Prediction | None]:
    """Something made of the elements of the right answer; where they are rounded, its bound is made of theirs."""

    def predict(case: Case) -> Prediction | None:
        if case.function not in ("matmul", "matmul_tiled"):
            return None
        right = case.expected[2]
        values = make(case, np.asarray(right.values))
        bound = make(case, 2.0 * right.bound) if isinstance(right.bound, np.ndarray) else None
        return predicted(case, values, 0.0 if bound is None else np.abs(bound))

    return predict


def _accumulates(case: Case, right: Float64) -> Float64:
    """`out` is added to without being set to zero."""
    before = case.buffers[2].before.astype(np.float64)
    return np.where(np.isnan(before), before, before + right)


def _hadamard(case: Case, right: Float64) -> Float64 | None:
    s = _sizes(case)
    if not s.m == s.n == s.p:
        return None
    return np.asarray(np.prod([each.reshape(-1) for each in _matrices(case)], axis=0))


def _swapped(case: Case, right: Float64) -> Float64 | None:
    a, b = _matrices(case)
    return (b @ a).reshape(-1) if a.shape == b.shape[::-1] and a.shape[0] == a.shape[1] else None


def _transposed(case: Case, right: Float64) -> Float64:
    s = _sizes(case)
    return np.ascontiguousarray(right.reshape(s.m, s.p).T).reshape(-1)


def _blocks_only(width: int) -> Mistake:
    def predict(case: Case, right: Float64) -> Float64:
        s = _sizes(case)
        whole = case.buffers[2].before.astype(np.float64).reshape(s.m, s.p)
        rows, columns = s.m // width * width, s.p // width * width
        whole[:rows, :columns] = right.reshape(s.m, s.p)[:rows, :columns]
        return whole.reshape(-1)

    sentence = (
        f"Only whole {width}x{width} blocks of the product are written: rows and columns at the edge are missing."
    )
    return Mistake(f"edge-blocks-of-{width}-missed", sentence, _of_products(predict))


def _inner(name: str, sentence: str, inner: Callable[[Sizes], range]) -> Mistake:
    return Mistake(name, sentence, _looped(lambda s, loops: {"inner": inner(s)}))


def _place(name: str, sentence: str, which: str, place: Callable[[Sizes], Place]) -> Mistake:
    return Mistake(name, sentence, _looped(lambda s, loops: {which: place(s)}))


_ROW = "The rows of `{name}` look {width} elements long: how many columns does `{name}` have?"


def _rows_of(size: str) -> Callable[[Sizes], Place]:
    """Places in a matrix whose rows are as long as the size of that name."""
    return lambda s: lambda i, j: i * int(getattr(s, size)) + j


def not_zeroed(sentence: str) -> Mistake:
    """The model of a product that is added to garbage, tiled or not."""
    return Mistake("not-zeroed", sentence, _of_products(_accumulates))


def _whole_groups(width: int) -> Callable[[Sizes], range]:
    return lambda s: range(s.n // width * width)


def _widths(name: str, right: str, others: str) -> list[Mistake]:
    return [
        _place(
            f"{name}-row-length-{other}",
            _ROW.format(name=name, width=other),
            name,
            _rows_of(other),
        )
        for other in others
    ]


MISTAKES = (
    unwritten()[0],
    not_zeroed("`out` holds garbage on entry: what does the sum start from?"),
    _inner(
        "inner-end-missed",
        "The last product of every sum is missing: look at where the inner loop ends.",
        lambda s: range(max(s.n - 1, 0)),
    ),
    _inner(
        "inner-start-missed",
        "The first product of every sum is missing: where does the inner loop start?",
        lambda s: range(1, s.n),
    ),
    _inner(
        "inner-one-too-many",
        "Every sum has one product too many: look at where the inner loop ends.",
        lambda s: range(s.n + 1),
    ),
    _inner(
        "last-product-only",
        "Only the last product of every sum is left: is it added, or assigned?",
        lambda s: range(max(s.n - 1, 0), s.n),
    ),
    _inner("first-product-only", "Only the first product of every sum is there.", lambda s: range(min(s.n, 1))),
    _inner(
        "inner-is-m",
        "The inner loop looks to run to m: how many products does one element of `out` sum up?",
        lambda s: range(s.m),
    ),
    _inner(
        "inner-is-p",
        "The inner loop looks to run to p: how many products does one element of `out` sum up?",
        lambda s: range(s.p),
    ),
    *(
        _inner(
            f"inner-tail-of-{width}-missed",
            f"Only whole groups of {width} products are summed up: the rest of the inner loop is missing.",
            _whole_groups(width),
        )
        for width in (4, 8, 16, 32)
    ),
    _place(
        "a-transposed",
        "`a` looks read by columns: in which order does a row-major m x n matrix lie in memory?",
        "a",
        lambda s: lambda i, j: j * s.m + i,
    ),
    _place(
        "b-transposed",
        "`b` looks read by columns: in which order does a row-major n x p matrix lie in memory?",
        "b",
        lambda s: lambda j, k: k * s.n + j,
    ),
    Mistake(
        "out-transposed", "The product is stored transposed: `out` is m x p, row-major.", _of_products(_transposed)
    ),
    Mistake("operands-swapped", "It computes b times a: the order of the factors counts.", _of_products(_swapped)),
    Mistake(
        "element-wise",
        "Elements are multiplied one by one: a matrix product sums over rows and columns.",
        _of_products(_hadamard),
    ),
    *_widths("a", "n", "mp"),
    *_widths("b", "p", "nm"),
    *_widths("out", "p", "nm"),
    Mistake(
        "m-and-p-swapped",
        "Rows and columns of `out` look swapped in the loops: which bound is m, which is p?",
        _looped(lambda s, loops: {"rows": s.p, "columns": s.m}),
    ),
    Mistake(
        "never-reset",
        "Every element contains the ones before it: where is the accumulator set back?",
        _of_products(lambda case, right: np.cumsum(right)),
    ),
    Mistake(
        "reset-per-row",
        "Along a row every element contains the ones before it: the accumulator is set back too rarely.",
        _of_products(lambda case, right: np.cumsum(right.reshape(_sizes(case).m, _sizes(case).p), axis=1).reshape(-1)),
    ),
    *(_blocks_only(width) for width in (4, 8, 16, 32)),
    *unwritten()[1:],
)
