"""Is an outcome right? The whole result, element by element, against the expected values and their bounds.

Nothing that a child says about itself is believed: only the bytes of the buffers and the plain numbers of a layout are
looked at, and whatever is missing is a failure.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from autograder.case import Case, Expected, Finding, Float32, Outcome, State, ViewCase
from autograder.cases.draw import POISON_BITS
from autograder.cases.oracle import addresses

Mask = npt.NDArray[np.bool_]
_POISON64 = np.full(1, POISON_BITS, dtype=np.uint32).view(np.float32).astype(np.float64).view(np.uint64)[0]
_MOST_ADDRESSES = 1 << 16  # beyond this many indices a view is judged by its corners and by evenly spaced indices
_MOST_AXES = 64
_ENDED: dict[str, tuple[State, str]] = {
    "crashed": ("crashed", "the call crashed"),
    "time-out": ("time-out", "the call did not end in time"),
    "out of memory": ("out of memory", "the call ran out of memory"),
    "missing": ("failed", "no result came back"),
}


def judge(case: Case | ViewCase, outcome: Outcome | None, also_accept: tuple[str, ...] = ()) -> Finding:
    """The verdict on one case: "passed" only if everything that must be there is there and right.

    `also_accept` names error classes that an assignment allows besides the expected one (a course's "AssertionError").
    `outcome.bands_intact` must hold one entry for every buffer; an empty one is a missing measurement, and fails.

    Example: `judge(case, Outcome("missing")).state == "failed"`
    """
    if outcome is None:
        outcome = Outcome("missing")
    if outcome.kind in _ENDED:
        state, words = _ENDED[outcome.kind]
        return _finding(case, state, words + (f": {outcome.detail}" if outcome.detail else ""))
    if outcome.kind == "raised" and "NotImplementedError" in _error_classes(outcome):
        return _finding(case, "unfinished", outcome.detail)
    if isinstance(case, ViewCase):
        return _judge_view(case, outcome, also_accept)
    if outcome.kind != "returned":
        return _finding(case, "failed", f"{case.function} raised {outcome.detail or 'an error'}")
    return _judge_buffers(case, outcome)


def wrong_elements(got: Float32, expected: Expected) -> Mask:
    """Which elements of `got` are not what `expected` allows.

    A bound of 0 compares exactly; NaN equals only NaN, and a NaN left from before the call (poison) equals only poison.
    """
    values = np.asarray(expected.values, dtype=np.float64)
    with np.errstate(all="ignore"):
        near = np.abs(got.astype(np.float64) - values) <= expected.bound
        equal = (got == values) | (near & np.isfinite(values))
    both_nan = np.isnan(got) & np.isnan(values)
    same_origin = (got.view(np.uint32) == POISON_BITS) == (values.view(np.uint64) == _POISON64)
    return np.asarray(~np.where(both_nan, same_origin, equal), dtype=np.bool_)


def _judge_buffers(case: Case, outcome: Outcome) -> Finding:
    misshapen = _missing_buffer(case, outcome)
    if misshapen:
        return _finding(case, "failed", misshapen)
    for buffer, after, intact in zip(case.buffers, outcome.buffers, outcome.bands_intact, strict=True):
        if not intact:
            return _finding(case, "failed", f"wrote outside {buffer.name}, before its first or after its last element")
        changed = np.flatnonzero(after.view(np.uint32) != buffer.before.view(np.uint32))
        if not buffer.writable and changed.size:
            k = int(changed[0])
            words = f"changed its input: {buffer.name}[{k}] was {_number(buffer.before[k])}, is {_number(after[k])}"
            return _finding(case, "failed", words, Place((k,), float(after[k]), float(buffer.before[k])))
    for index, expected in case.expected.items():
        wrong = wrong_elements(outcome.buffers[index], expected)
        if wrong.any():
            return _wrong_output(case, index, outcome.buffers[index], expected, wrong)
    return _finding(case, "passed", "")


def _missing_buffer(case: Case, outcome: Outcome) -> str:
    """One sentence if the outcome lacks a buffer or a guard band, else nothing."""
    if len(outcome.buffers) != len(case.buffers):
        return f"{len(outcome.buffers)} buffers came back, not {len(case.buffers)}"
    if len(outcome.bands_intact) != len(case.buffers):
        return f"{len(outcome.bands_intact)} guard bands came back, not {len(case.buffers)}"
    for buffer, after in zip(case.buffers, outcome.buffers, strict=True):
        if after.dtype != np.float32 or after.shape != buffer.before.shape:
            return f"{buffer.name} came back as {after.dtype} {after.shape}, not float32 {buffer.before.shape}"
    return ""


@dataclass(frozen=True)
class Place:
    """Where an outcome is first wrong, and with which values."""

    index: tuple[int, ...]
    got: float | None = None
    want: float | None = None


def _wrong_output(case: Case, index: int, got: Float32, expected: Expected, wrong: Mask) -> Finding:
    buffer = case.buffers[index]
    k = int(np.flatnonzero(wrong)[0])
    want = float(expected.values[k])
    logical, name = _name_of(case, buffer.name, k)
    count = f"{int(wrong.sum())} of {wrong.size} elements are wrong"
    if got.view(np.uint32)[k] == POISON_BITS:
        words = f"{name} was never written, should be {_number(want)} ({count})"
    elif case.function.endswith("setitem") and want == buffer.before[k]:
        words = f"{name} lies outside the view and must stay {_number(want)}, but is {_number(got[k])} ({count})"
    else:
        words = f"{name} is {_number(got[k])}, should be {_number(want)} ({count})"
    return _finding(case, "failed", words, Place(logical, float(got[k]), want))


def _name_of(case: Case, buffer: str, k: int) -> tuple[tuple[int, ...], str]:
    """The index of element `k` of an output as the student thinks of it, and its spelling."""
    facts = case.facts
    if case.function == "compact" and len(facts["shape"]) > 1:
        index = tuple(int(i) for i in np.unravel_index(k, facts["shape"]))
        return index, f"{buffer}[{k}], index {index} of the view,"
    if case.function.endswith("setitem"):
        reached = np.flatnonzero(addresses(facts["shape"], facts["strides"], facts["offset"]) == k)
        if reached.size and facts["shape"]:
            index = tuple(int(i) for i in np.unravel_index(int(reached[0]), facts["shape"]))
            return index, f"{buffer}[{k}], index {index} of the view,"
    if case.function == "matmul":
        row, column = divmod(k, facts["p"])
        return (row, column), f"{buffer}[{row}][{column}]"
    return (k,), f"{buffer}[{k}]"


def _judge_view(case: ViewCase, outcome: Outcome, also_accept: tuple[str, ...]) -> Finding:
    if isinstance(case.expected, str):
        return _judge_refusal(case, case.expected, outcome, also_accept)
    if outcome.kind != "returned":
        return _finding(case, "failed", f"{case.note} raised {outcome.detail or 'an error'}")
    layout = plain_layout(outcome.value)
    if layout is None:
        return _finding(case, "failed", f"{case.note} returned no layout of whole numbers")
    shape, strides, offset = layout
    want_shape, want_strides, want_offset = case.expected
    if shape != want_shape:
        return _finding(case, "failed", f"{case.note} has shape {shape}, should be {want_shape}")
    if not _inside(shape, strides, offset, case.allocation):
        return _finding(
            case,
            "failed",
            f"{case.note}: strides {strides}, offset {offset} reach outside the {case.allocation} elements",
        )
    if 0 in shape:
        return _finding(case, "passed", "")
    indices = _indices(shape)
    got = offset + indices @ np.array(strides, dtype=np.int64)
    want = want_offset + indices @ np.array(want_strides, dtype=np.int64)
    wrong = np.flatnonzero(got != want)
    if not wrong.size:
        return _finding(case, "passed", "")
    k = int(wrong[0])
    index = tuple(int(i) for i in indices[k])
    words = f"{case.note}: index {index} reaches element {got[k]}, should reach {want[k]}"
    return _finding(case, "failed", words, Place(index, float(got[k]), float(want[k])))


def _judge_refusal(case: ViewCase, expected: str, outcome: Outcome, also_accept: tuple[str, ...]) -> Finding:
    if outcome.kind == "returned":
        return _finding(case, "failed", f"{case.note} should raise {expected}, but returned {outcome.value!r:.200}")
    if not _error_classes(outcome).isdisjoint({expected, *also_accept}):
        return _finding(case, "passed", "")
    return _finding(case, "failed", f"{case.note} should raise {expected}, but raised {outcome.detail or 'an error'}")


def plain_layout(value: Any) -> tuple[tuple[int, ...], tuple[int, ...], int] | None:
    """`value` as (shape, strides, offset) of plain whole numbers, or None: it comes from the student's side."""
    if not isinstance(value, (tuple, list)) or len(value) != 3:
        return None
    shape, strides, offset = value
    if not isinstance(shape, (tuple, list)) or not isinstance(strides, (tuple, list)):
        return None
    numbers = [*shape, *strides, offset]
    if len(shape) != len(strides) or len(shape) > _MOST_AXES:
        return None
    if not all(type(n) is int and abs(n) < 1 << 31 for n in numbers) or min(shape, default=0) < 0:
        return None
    return tuple(shape), tuple(strides), offset


def _inside(shape: tuple[int, ...], strides: tuple[int, ...], offset: int, allocation: int) -> bool:
    if 0 in shape:
        return 0 <= offset <= allocation
    ends = [(length - 1) * stride for length, stride in zip(shape, strides, strict=True)]
    low = offset + sum(end for end in ends if end < 0)
    high = offset + sum(end for end in ends if end > 0)
    return low >= 0 and high < allocation


def _indices(shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """All indices of a shape as rows, or, of a large one, its corners and evenly spaced ones."""
    total = int(np.prod(np.array(shape, dtype=object))) if shape else 1
    if total <= _MOST_ADDRESSES:
        flat = np.arange(total, dtype=np.int64)
        return np.stack(np.unravel_index(flat, shape), axis=1).astype(np.int64) if shape else np.zeros((1, 0), np.int64)
    axes = shape[:12]
    corners = np.array(np.meshgrid(*[(0, n - 1) for n in axes], indexing="ij"), dtype=np.int64).reshape(len(axes), -1).T
    corners = np.pad(corners, ((0, 0), (0, len(shape) - len(axes))))
    steps = np.arange(_MOST_ADDRESSES, dtype=np.int64)[:, None]
    spread = (steps * np.array([2 * k + 1 for k in range(len(shape))], dtype=np.int64)) % np.array(
        shape, dtype=np.int64
    )
    return np.concatenate([corners, spread])


def _error_classes(outcome: Outcome) -> set[str]:
    """The class of the raised error and its base classes, from "IndexError: ..." or "IndexError,LookupError\\n..."."""
    names = {name.strip() for name in outcome.detail.split("\n", 1)[0].split(":", 1)[0].split(",")}
    for name in tuple(names):
        known = getattr(builtins, name, None)
        if isinstance(known, type) and issubclass(known, BaseException):
            names |= {each.__name__ for each in known.__mro__}
    return names


def _number(value: Any) -> str:
    return f"{float(value):.9g}"


def _finding(case: Case | ViewCase, state: State, message: str, place: Place | None = None) -> Finding:
    where = place or Place(())
    first = place.index if place else None
    return Finding(case.id, case.check, state, first, where.got, where.want, message)
