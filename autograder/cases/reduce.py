"""Cases of `reduce_sum` and `reduce_max`: one result for each `reduce_size` consecutive elements."""

from __future__ import annotations

import numpy as np

from autograder.case import Buffer, Case, Expected, Float32, Ref
from autograder.cases import bounds
from autograder.cases.draw import Draw, poison
from autograder.cases.oracle import reduction

CHECKS = (
    ("sum", "reduce_sum: `out[i]` is the sum of the `reduce_size` elements of `a` from `i * reduce_size` on."),
    ("sum_rounding", "reduce_sum: within the rounding of a sum of float32 numbers in any order, for up to 4096 terms."),
    ("max", "reduce_max: `out[i]` is the largest of the `reduce_size` elements of `a` from `i * reduce_size` on."),
    ("max_negative", "reduce_max: also where all elements are negative, however large."),
    ("one", "Also for one result, for `reduce_size` 1, and for both."),
    ("garbage", "`out` holds garbage on entry."),
    ("sum_of_nothing", "reduce_sum: the sum of no elements is 0."),
    ("nan", "A NaN among the elements makes the result NaN, wherever it stands."),
)
_PAIRS = ((2, 3), (4, 5), (7, 33), (33, 7), (31, 32), (5, 257), (255, 2), (257, 3))
_BLOCK_PAIRS = ((256, 3), (513, 2))


def cases(draw: Draw, device: str) -> list[Case]:
    """The cases of `reduce_*` for one device."""
    pairs = _PAIRS + (_BLOCK_PAIRS if device == "cuda" else ())
    drawn = tuple((draw.integer(2, 40), draw.integer(2, 40)) for _ in range(3))
    found: list[Case] = []
    for function in ("reduce_sum", "reduce_max"):
        name = function.split("_")[1]
        found += [_case(function, name, _elements(draw, function, n, k, 900), n, k) for n, k in pairs + drawn]
        found.append(_case(function, name, poison(0), 0, 5))
        found += [
            _case(function, "one", _elements(draw, function, n, k, 900), n, k)
            for n, k in ((1, 1), (1, 13), (13, 1), (1, 1000))
        ]
        found.append(_garbage(draw, function, 5, 7))
        found += [_with_nan(draw, function, where) for where in ("first", "last", "middle")]
    found += [_case("reduce_sum", "sum_of_nothing", poison(0), n, 0) for n in (1, 4)]
    found += [
        _case("reduce_sum", "sum_rounding", draw.reals(n * k, -0.5, 2.0), n, k)
        for n, k in ((3, 100), (2, 1025), (1, 4096))
    ]
    found += _negative(draw)
    return found


def _elements(draw: Draw, function: str, n: int, k: int, limit: int) -> Float32:
    """Signed whole numbers; each group of a maximum has a positive one: only "max_negative" tests where it starts."""
    rows = draw.small(n * k, limit).reshape(n, k)
    if function == "reduce_max":
        columns = draw.integers(n, 0, k - 1)
        rows[np.arange(n), columns] = np.abs(rows[np.arange(n), columns])
    return rows.reshape(-1)


def _negative(draw: Draw) -> list[Case]:
    few = -draw.reals(4 * 6, 1.0, 50.0)
    tiny = -draw.reals(3 * 5, 1e-36, 2e-36)
    huge = -draw.reals(2 * 5, 3.0e38, 3.4e38)
    depths = draw.distinct(3 * 4)
    depths[:4] = -np.inf
    made = ((few, 4, 6), (tiny, 3, 5), (huge, 2, 5), (depths, 3, 4))
    return [_case("reduce_max", "max_negative", a, n, k) for a, n, k in made]


def _garbage(draw: Draw, function: str, n: int, k: int) -> Case:
    """`out` holds numbers above and below every answer: adding to them shows, and so does comparing with them."""
    before = (draw.reals(n, 3000.0, 9000.0).round() * np.array([1, -1] * n, dtype=np.float32)[:n]).astype(np.float32)
    return _case(function, "garbage", _elements(draw, function, n, k, 300), n, k, before=before)


def _with_nan(draw: Draw, function: str, where: str) -> Case:
    n, k = 4, 5
    a = _elements(draw, function, n, k, 900)
    a[{"first": 5, "last": 9, "middle": 7}[where]] = np.nan
    return _case(function, "nan", a, n, k, note=f"NaN is the {where} element of row 1")


def _case(function: str, check: str, a: Float32, n: int, k: int, before: Float32 | None = None, note: str = "") -> Case:
    values = reduction(function, a, n, k)
    bound: bounds.Float64 | float = 0.0
    if check == "sum_rounding":
        bound = bounds.of_sum(np.abs(a.astype(np.float64)).reshape(n, k).sum(axis=1), k)
    return Case(
        id="",
        check=check,
        function=function,
        args=(Ref(0), Ref(1), k),
        buffers=(Buffer("a", a), Buffer("out", poison(n) if before is None else before, writable=True)),
        expected={1: Expected(values, bound)},
        note=note or f"{n} results of {k} elements each",
        facts={"out_size": n, "reduce_size": k},
    )
