"""Models of mistakes in `ewise_setitem` and `scalar_setitem`: where values go when one thing is forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.case import Case, Float64
from autograder.cases.oracle import addresses
from autograder.mistakes.compact import WALKS, Shape, Walk
from autograder.mistakes.model import Indices, Mistake, Prediction, gather, predicted, unwritten, written


def _layout(case: Case) -> tuple[Shape, Shape, int]:
    return case.facts["shape"], case.facts["strides"], case.facts["offset"]


def _values(case: Case, count: int) -> Any:
    """What is written, in order: the number, or the elements of `a`."""
    if case.function == "scalar_setitem":
        return np.full(count, float(case.args[1]))
    return gather(case.buffers[0].before, np.arange(count, dtype=np.int64))


def _writes(walk: Walk) -> Callable[[Case], Prediction | None]:
    def predict(case: Case) -> Prediction | None:
        return _written(case, walk(*_layout(case)))

    return predict


def _written(case: Case, places: Indices) -> Prediction | None:
    values = _values(case, places.size)
    return None if values is None else written(case, places, values)


def _reads_along_the_view(case: Case) -> Prediction | None:
    """`a` is read where the view points, too, although it is compact."""
    if case.function != "ewise_setitem":
        return None
    places = addresses(*_layout(case))
    values = gather(case.buffers[0].before, places)
    return None if values is None else written(case, places, values)


def _compacts(case: Case) -> Prediction | None:
    """compact with the names swapped: `a` read along the view, `out` written from its start."""
    if case.function != "ewise_setitem":
        return None
    values = gather(case.buffers[0].before, addresses(*_layout(case)))
    if values is None:
        return None
    return written(case, np.arange(values.size, dtype=np.int64), values)


def _fills(case: Case) -> Prediction | None:
    if case.function != "scalar_setitem":
        return None
    filled: Float64 = np.full(case.buffers[0].before.size, float(case.args[1]))
    return predicted(case, filled)


def _without(which: slice) -> Callable[[Case], Prediction | None]:
    """All places of the view but some are written."""

    def predict(case: Case) -> Prediction | None:
        places = addresses(*_layout(case))
        values = _values(case, places.size)[which]
        return written(case, places[which], values)

    return predict


MISTAKES = (
    Mistake("untouched", unwritten()[0].sentence, _without(slice(0, 0))),
    *(
        Mistake(name, sentence.replace("taken as they", "written as if they"), _writes(walk))
        for name, sentence, walk in WALKS
        if name != "broadcast-stride-lost"  # never written through
    ),
    Mistake(
        "fills-the-buffer",
        "Every element of the buffer was overwritten: which of them belong to the view?",
        _fills,
    ),
    Mistake(
        "reads-along-the-view",
        "`a` looks read through the view: `a` is compact, strides and offset belong to `out`.",
        _reads_along_the_view,
    ),
    Mistake(
        "compacts",
        "`a` is read along the view and `out` filled from its start: which of the two has the layout here?",
        _compacts,
    ),
    Mistake(
        "last-missed",
        "The last place of the view was not written: look at where the loop ends.",
        _without(slice(0, -1)),
    ),
    Mistake(
        "first-missed",
        "The first place of the view was not written: where does the loop start?",
        _without(slice(1, None)),
    ),
    Mistake("first-only", "Only the first place of the view was written.", _without(slice(0, 1))),
    Mistake(
        "first-block-only",
        "Only the first 256 places were written: one block of threads does not reach the rest.",
        _without(slice(0, 256)),
    ),
)
