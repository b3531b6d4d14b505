"""Models of mistakes in `reduce_sum` and `reduce_max`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from autograder.case import Case, Float64
from autograder.cases import bounds
from autograder.mistakes.model import Indices, Mistake, Prediction, gather, predicted, unwritten

Rows = npt.NDArray[np.float64]
_LOWEST_POSITIVE = float(np.finfo(np.float32).tiny)
_LOWEST = float(np.finfo(np.float32).min)


def _sizes(case: Case) -> tuple[int, int]:
    return case.facts["out_size"], case.facts["reduce_size"]


def _places(n: int, k: int, row: int, step: int = 1, first: int = 0, count: int | None = None) -> Indices:
    """Element numbers read for each result: result i reads `count` of them from i * row + first on, `step` apart."""
    along = first + step * np.arange(k if count is None else count, dtype=np.int64)
    return row * np.arange(n, dtype=np.int64)[:, None] + along


def _reduced(case: Case, rows: Rows, function: str = "") -> Prediction | None:
    """The prediction that each result is the sum (or maximum) of a row of `rows`."""
    if rows.shape[1] == 0 and "max" in (function or case.function):
        return None
    if "max" in (function or case.function):
        return predicted(case, rows.max(axis=1))
    values = rows.sum(axis=1)
    return predicted(case, values, _rounding(rows, np.abs(rows).sum(axis=1), rows.shape[1]))


def _rounding(rows: Rows, magnitudes: Any, terms: int) -> Float64 | float:
    """No bound for whole numbers, whose sums are exact: then only the very same number is a match."""
    whole = np.array_equal(rows, np.round(rows), equal_nan=True)
    return 0.0 if whole else bounds.of_sum(np.where(np.isfinite(magnitudes), magnitudes, 0.0), terms)


def _reads(
    places: Callable[[int, int], Indices], function: str = "", only: str = ""
) -> Callable[[Case], Prediction | None]:
    """Right arithmetic on other elements, or another function of the right ones."""

    def predict(case: Case) -> Prediction | None:
        if only and only not in case.function:
            return None
        rows = gather(case.buffers[0].before, places(*_sizes(case)))
        return None if rows is None else _reduced(case, rows, function)

    return predict


def _of_rows(only: str, make: Callable[[Rows], Any]) -> Callable[[Case], Prediction | None]:
    """Any other function of the right rows."""

    def predict(case: Case) -> Prediction | None:
        n, k = _sizes(case)
        if only not in case.function or (k == 0 and only == "max"):
            return None
        rows = case.buffers[0].before.astype(np.float64).reshape(n, k)
        with np.errstate(all="ignore"):
            values = np.asarray(make(rows), dtype=np.float64)
        bound = bounds.of_ulps(values, 4) + _rounding(rows, np.abs(rows).sum(axis=1), k) if only == "sum" else 0.0
        return predicted(case, values, bound)

    return predict


def _keep_first(rows: Rows) -> Any:
    """m = row[0]; if (x > m) m = x: a NaN stays only where it comes first."""
    return np.where(np.isnan(rows[:, 0]), np.nan, np.fmax.reduce(rows, axis=1))


def _keep_last(rows: Rows) -> Any:
    """m = std::max(x, m): x stays where x < m is false, so a NaN is forgotten with the next element."""
    best = rows[:, 0]
    for x in rows.T[1:]:
        best = np.where(x < best, best, x)
    return best


def _accumulates(case: Case) -> Prediction | None:
    """out[i] is not set before it is added to, or compared with."""
    n, k = _sizes(case)
    before = case.buffers[1].before.astype(np.float64)
    rows = case.buffers[0].before.astype(np.float64).reshape(n, k)
    if case.function == "reduce_sum":
        values = np.where(np.isnan(before), before, before + rows.sum(axis=1))
        return predicted(case, values, _rounding(rows, np.abs(rows).sum(axis=1), k))
    best = before
    for x in rows.T:
        best = np.where(x > best, x, best)  # a poisoned `out` stays: no comparison with NaN holds
    return predicted(case, best)


def _never_reset(case: Case) -> Prediction | None:
    """One accumulator for all results: each contains everything before it."""
    n, k = _sizes(case)
    rows = case.buffers[0].before.astype(np.float64).reshape(n, k)
    if case.function == "reduce_max":
        return predicted(case, np.maximum.accumulate(rows.max(axis=1))) if n and k else None
    return predicted(case, np.cumsum(rows.sum(axis=1)), _rounding(rows, np.cumsum(np.abs(rows).sum(axis=1)), n * k))


def _all_into_first(case: Case) -> Prediction | None:
    """Everything is reduced into out[0]; the other results are never written."""
    a, before = case.buffers[0].before.astype(np.float64), case.buffers[1].before.astype(np.float64)
    if not before.size or not a.size:
        return None
    before[0] = a.sum() if case.function == "reduce_sum" else a.max()
    return predicted(case, before, _rounding(a, np.abs(a).sum(), a.size) if case.function == "reduce_sum" else 0.0)


def _best_from(start: float, sentence: str, name: str) -> Mistake:
    least = float(np.float32(start))
    return Mistake(name, sentence, _of_rows("max", lambda rows: np.maximum(rows.max(axis=1), least)))


_NAN = "NaN is lost {where}: what does a comparison with NaN give?"
MISTAKES = (
    unwritten()[0],
    _best_from(0.0, "The maximum looks started from 0: what is the largest of negative numbers?", "max-from-zero"),
    _best_from(
        _LOWEST_POSITIVE,
        "The maximum looks started from the smallest positive float (FLT_MIN, numeric_limits::min): is it below -1?",
        "max-from-flt-min",
    ),
    _best_from(
        _LOWEST,
        "The maximum looks started from the lowest finite float: what if all elements are minus infinity?",
        "max-from-lowest",
    ),
    *(
        _best_from(start, f"The maximum looks started from {start:g}: elements may lie below it.", f"max-from{start:g}")
        for start in (-1.0, -100.0, -1000.0, -1e5, -1e6, -1e9, -1e10, -1e30, -1e38)
    ),
    Mistake(
        "sum-for-max",
        "The elements are added up where the largest is asked for.",
        _reads(lambda n, k: _places(n, k, k), "reduce_sum", only="max"),
    ),
    Mistake(
        "max-for-sum",
        "The largest element is taken where the sum is asked for.",
        _reads(lambda n, k: _places(n, k, k), "reduce_max", only="sum"),
    ),
    Mistake(
        "min-for-max",
        "The smallest element is taken, not the largest: which way does the comparison point?",
        _of_rows("max", lambda r: r.min(axis=1)),
    ),
    Mistake(
        "max-of-magnitudes",
        "The largest magnitude is taken: signs count.",
        _of_rows("max", lambda r: np.abs(r).max(axis=1)),
    ),
    Mistake(
        "mean-for-sum",
        "The result is the mean: the sum is not divided.",
        _of_rows("sum", lambda r: r.sum(axis=1) / np.float64(r.shape[1])),
    ),
    Mistake("product-for-sum", "The elements are multiplied, not added.", _of_rows("sum", lambda r: r.prod(axis=1))),
    Mistake(
        "sum-of-magnitudes",
        "The magnitudes are added up: signs count.",
        _of_rows("sum", lambda r: np.abs(r).sum(axis=1)),
    ),
    Mistake(
        "whole-numbers-only",
        "Fractions are lost: is the accumulator an integer?",
        _of_rows("sum", lambda r: _as_integers(r)),
    ),
    Mistake("nan-lost-unless-first", _NAN.format(where="unless it comes first"), _of_rows("max", _keep_first)),
    Mistake("nan-lost-unless-last", _NAN.format(where="unless it comes last"), _of_rows("max", _keep_last)),
    Mistake("nan-lost", _NAN.format(where="wherever it stands"), _of_rows("max", lambda r: np.fmax.reduce(r, axis=1))),
    Mistake(
        "nan-skipped",
        "NaN is skipped in the sum: it makes the result NaN.",
        _of_rows("sum", lambda r: np.nansum(r, axis=1)),
    ),
    Mistake(
        "accumulates-into-garbage", "`out` holds garbage on entry: what does the first step start from?", _accumulates
    ),
    Mistake(
        "never-reset", "Every result contains the ones before it: where is the accumulator set back?", _never_reset
    ),
    Mistake(
        "first-element",
        "Only the first element of each group is looked at.",
        _reads(lambda n, k: _places(n, k, k, count=min(k, 1))),
    ),
    Mistake(
        "last-element",
        "Only the last element of each group is left.",
        _reads(lambda n, k: _places(n, k, k, first=k - 1, count=min(k, 1))),
    ),
    Mistake(
        "group-end-missed",
        "The last element of each group is missed: look at where the inner loop ends.",
        _reads(lambda n, k: _places(n, k, k, count=max(k - 1, 0))),
    ),
    Mistake(
        "group-start-missed",
        "The first element of each group is missed: where does the inner loop start?",
        _reads(lambda n, k: _places(n, k, k, first=1, count=max(k - 1, 0))),
    ),
    Mistake(
        "one-too-many",
        "One element too many is read for each result: look at where the inner loop ends.",
        _reads(lambda n, k: _places(n, k, k, count=k + 1)),
    ),
    Mistake(
        "windows-overlap",
        "Result i reads from element i on: where does group i start?",
        _reads(lambda n, k: _places(n, k, 1)),
    ),
    Mistake(
        "strided-groups",
        "Each result takes every out.size-th element: the elements of one group lie next to each other.",
        _reads(lambda n, k: _places(n, k, 1, step=n)),
    ),
    Mistake(
        "sizes-swapped",
        "Groups look as long as there are results: which of the two sizes is which?",
        _reads(lambda n, k: _places(n, k, n, count=n)),
    ),
    Mistake(
        "all-into-first", "Everything is reduced into out[0]: one result for each group is asked for.", _all_into_first
    ),
    *unwritten()[1:],
)


def _as_integers(rows: Rows) -> Any:
    total = np.zeros(rows.shape[0])
    for x in rows.T:
        total = np.trunc(total + x)
    return total
