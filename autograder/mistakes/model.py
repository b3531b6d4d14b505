"""What a model of a mistake is, and the models that fit any family.

A model predicts the whole output of a kernel that makes exactly this mistake. It is named only where the prediction
and output agree element by element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from autograder.case import Case, Expected, Float32, Float64


class Prediction(dict[int, Expected]):
    """The contents of the writable buffers after the call, by the index of the buffer."""


Indices = npt.NDArray[np.int64]
BAND_ELEMENTS = 1024  # beyond a buffer lies a guard band of this many NaNs; what lies further away nobody can predict


@dataclass(frozen=True)
class Mistake:
    """One mistake: its name for tests and statistics, a sentence for the student, and what it makes of a case.

    `predict` returns the contents of the writable buffers after the call, or None where the model cannot tell.
    """

    name: str
    sentence: str
    predict: Callable[[Case], Prediction | None]


class Outside(Prediction):
    """A prediction that also says: a guard band of an output is overwritten."""


def gather(buffer: Float32, indices: Indices) -> Float64 | None:
    """What a kernel reads at `indices`, also in the guard bands; None if it reads beyond them."""
    if indices.size and (indices.min() < -BAND_ELEMENTS or indices.max() >= buffer.size + BAND_ELEMENTS):
        return None
    inside = (indices >= 0) & (indices < buffer.size)
    values = np.full(indices.shape, np.nan)
    values[inside] = buffer[indices[inside]]
    return values


def scatter(before: Float32, indices: Indices, values: Any) -> Float64 | None:
    """A buffer after `values` were written at `indices`, in order; None if one lies beyond the guard bands."""
    if indices.size and (indices.min() < -BAND_ELEMENTS or indices.max() >= before.size + BAND_ELEMENTS):
        return None
    after = before.astype(np.float64)
    inside = (indices >= 0) & (indices < before.size)
    after[indices[inside]] = np.broadcast_to(values, indices.shape)[inside]
    return after


def hits_band(buffer: Float32, indices: Indices) -> bool:
    """Whether something is written outside of a buffer."""
    return bool(indices.size and (indices.min() < 0 or indices.max() >= buffer.size))


def output_of(case: Case) -> int:
    """The index of the one buffer that a kernel of the contract writes."""
    return next(k for k, buffer in enumerate(case.buffers) if buffer.writable)


def written(case: Case, indices: Indices, values: Any) -> Prediction | None:
    """The prediction that `values` are written at `indices` of the output, in order, also into its guard bands."""
    before = case.buffers[output_of(case)].before
    after = predicted(case, scatter(before, indices, values))
    return Outside(after) if after and hits_band(before, indices) else after


def predicted(case: Case, values: Float64 | None, bound: Float64 | float = 0.0) -> Prediction | None:
    """`values` as the prediction for the output of `case`; what float32 cannot hold is an infinity."""
    if values is None:
        return None
    held = np.where(np.abs(values) > np.finfo(np.float32).max, np.copysign(np.inf, values), values)
    return Prediction({output_of(case): Expected(held, bound)})


def _partly(case: Case, written: npt.NDArray[np.bool_]) -> Prediction:
    """The right answer where `written`, and what was there before elsewhere."""
    k = output_of(case)
    right = case.expected[k]
    before = case.buffers[k].before.astype(np.float64)
    bound = np.where(written, right.bound, 0.0)
    return Prediction({k: Expected(np.where(written, right.values, before), bound)})


def _first(count: Callable[[int], int]) -> Callable[[Case], Prediction]:
    def predict(case: Case) -> Prediction:
        size = case.buffers[output_of(case)].before.size
        return _partly(case, np.arange(size) < count(size))

    return predict


def _all_but_first(case: Case) -> Prediction:
    return _partly(case, np.arange(case.buffers[output_of(case)].before.size) > 0)


def unwritten(tails: Sequence[int] = (4, 8, 16, 32, 64, 128, 256)) -> tuple[Mistake, ...]:
    """The models of outputs that are right as far as they go: nothing, not the last, only whole blocks, ..."""
    whole = (
        Mistake(
            "untouched", "`out` was not written at all: does any line of the kernel store into it?", _first(lambda n: 0)
        ),
        Mistake(
            "last-missed",
            "All is right but the last element, which was never written: look at where the loop ends.",
            _first(lambda n: n - 1),
        ),
        Mistake(
            "first-missed",
            "All is right but the first element, which was never written: where does the loop start?",
            _all_but_first,
        ),
        Mistake("first-only", "Only the first element was written.", _first(lambda n: 1)),
        Mistake(
            "first-block-only",
            "Only the first 256 elements were written: one block of threads does not reach the rest.",
            _first(lambda n: 256),
        ),
    )
    return whole + tuple(_tail(width) for width in tails)


def _tail(width: int) -> Mistake:
    return Mistake(
        f"tail-of-{width}-missed",
        f"Only whole groups of {width} elements were written: the rest at the end, fewer than {width}, is missing.",
        _first(lambda n: n // width * width),
    )
