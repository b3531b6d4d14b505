"""Small text pictures of a wrong result: which element went where, cell by cell.

Only cases that fit on a line get one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder.case import Case, Float32, Outcome, ViewCase
from autograder.cases.draw import POISON_BITS
from autograder.cases.oracle import addresses
from autograder.compare import plain_layout

_MOST_CELLS = 16


def picture(case: Case | ViewCase, outcome: Outcome) -> str:
    """A picture of a wrong outcome, or "" where none fits.

    Example of `compact` of a transpose, strides ignored:

        out[k], k =    0 1 2 3 4 5
        should be a[.] 0 3 1 4 2 5
        is a[.]        0 1 2 3 4 5
                         ^ ^ ^ ^
    """
    if outcome.kind != "returned":
        return ""
    if isinstance(case, ViewCase):
        return _of_view(case, outcome)
    if len(outcome.buffers) != len(case.buffers):
        return ""
    if case.function == "compact":
        return _of_compact(case, outcome)
    if case.function.endswith("setitem"):
        return _of_setitem(case, outcome)
    return ""


def _rows(*rows: tuple[str, Sequence[str]]) -> str:
    """Rows of cells under each other, the last two compared: where they differ stands a caret."""
    if not rows[0][1] or len(rows[0][1]) > _MOST_CELLS:
        return ""
    marks = ["^" if want != got else "" for want, got in zip(rows[-2][1], rows[-1][1], strict=True)]
    table = [*rows, ("", marks)]
    label = max(len(name) for name, _ in table)
    widths = [max(len(cells[k]) for _, cells in table) for k in range(len(rows[0][1]))]
    lines = (
        f"{name:<{label}} " + " ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        for name, cells in table
    )
    return "\n".join(line.rstrip() for line in lines)


def _source(value: Float32, a: Float32, name: str) -> str:
    """Where a value comes from: the number of the element of `a` that holds it (elements are distinct)."""
    if np.asarray(value).view(np.uint32) == POISON_BITS:
        return "-"
    found = np.flatnonzero(a == value)
    return f"{name}{int(found[0])}" if found.size else "?"


def _of_compact(case: Case, outcome: Outcome) -> str:
    a, out = case.buffers[0].before, outcome.buffers[1]
    facts = case.facts
    want = addresses(facts["shape"], facts["strides"], facts["offset"])
    if len(want) > _MOST_CELLS or len(want) != len(out):
        return ""
    return _rows(
        ("out[k], k =", [str(k) for k in range(len(want))]),
        ("should be a[.]", [str(k) for k in want]),
        ("is a[.]", [_source(value, a, "") for value in out]),
    )


def _of_setitem(case: Case, outcome: Outcome) -> str:
    k = len(case.buffers) - 1
    before, after = case.buffers[k].before, outcome.buffers[k]
    right = case.expected[k].values.astype(np.float32)
    if len(before) > _MOST_CELLS or len(after) != len(before):
        return ""

    def cell(value: Float32, place: int) -> str:
        if value == before[place]:
            return "."
        if case.function == "scalar_setitem":
            return "v" if value == np.float32(case.args[1]) else "?"
        return _source(value, case.buffers[0].before, "a")

    return _rows(
        ("element", [str(n) for n in range(len(before))]),
        ("should hold", [cell(value, n) for n, value in enumerate(right)]),
        ("holds", [cell(value, n) for n, value in enumerate(after)]),
    )


def _of_view(case: ViewCase, outcome: Outcome) -> str:
    layout = plain_layout(outcome.value)
    if layout is None or isinstance(case.expected, str) or layout[0] != case.expected[0]:
        return ""
    if int(np.prod(layout[0], dtype=np.int64)) > _MOST_CELLS:
        return ""
    return _rows(
        ("should reach", [str(n) for n in addresses(*case.expected)]),
        ("reaches", [str(n) for n in addresses(*layout)]),
    )
