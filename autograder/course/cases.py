"""The house's cases under the course's rules: what the course never stated is moved into checks that are advice.

Advice comes last, so that a hang in it takes nothing else along.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from autograder.case import Buffer, Case, Expected, Ref, ViewCase
from autograder.cases import cases_for
from autograder.cases.draw import poison
from autograder.exercise import Exercise

COURSE_TOLERANCE = 1e-5  # absolute and relative: how near log, exp, tanh and powers must be
MOST_AXES = 8  # of a view in the course (a constant of its CUDA file)
ELEMENTARY = ("ewise_log", "ewise_exp", "ewise_tanh", "scalar_power")
Mask = npt.NDArray[np.bool_]


def course_cases(exercise: Exercise, seed: int | str) -> list[Case | ViewCase]:
    """The cases of an exercise as the course's rules have them; ids stay those of the house."""
    found: list[Case | ViewCase] = []
    for case in cases_for(exercise.id, seed):
        found += [_moved_view(case)] if isinstance(case, ViewCase) else _moved(case)
    if exercise.family == "reduce":
        found += _long_sums()
    advice = {check.name for check in exercise.checks if not check.cites}
    known = [case for case in found if case.check in {check.name for check in exercise.checks}]
    return sorted(known, key=lambda case: case.check in advice)


def _moved(case: Case) -> Iterable[Case]:
    facts = case.facts
    if _is_empty(case):
        return [replace(case, check="empty")]
    if "shape" in facts:
        return [replace(case, check=_check_of_layout(case.check, facts["shape"], facts["strides"]))]
    case = _with_course_tolerance(case)
    finite = _finite(case)
    if finite.all() or case.check in ("maximum_nan", "nan"):
        return [case]
    advice = replace(case, check="special_values")
    if case.function.startswith("reduce"):
        return [advice]
    return [_restricted(case, finite), advice] if finite.any() else [advice]


def _is_empty(case: Case) -> bool:
    facts = case.facts
    sizes = [facts[key] for key in ("size", "out_size", "reduce_size", "m", "n", "p") if key in facts]
    return 0 in (*facts.get("shape", ()), *sizes)


def _check_of_layout(check: str, shape: Sequence[int], strides: Sequence[int]) -> str:
    if not shape:
        return "no_axes"
    if len(shape) > MOST_AXES:
        return "many_axes"
    if any(stride < 0 and length > 1 for length, stride in zip(shape, strides, strict=True)):
        return "negative_strides"
    return check


def _finite(case: Case) -> Mask:
    """Where an element-wise case is about ordinary numbers; the power of 0 to a negative or zero exponent is none."""
    (expected,) = case.expected.values()
    if case.function.startswith(("reduce", "matmul")):
        every = all(bool(np.isfinite(buffer.before).all()) for buffer in case.buffers if not buffer.writable)
        return np.full(1, every)
    # a negative base with a fractional exponent gives NaN: that one the course does state
    finite = np.isfinite(expected.values) | (case.function == "scalar_power")
    for buffer in case.buffers:
        if not buffer.writable:
            finite &= np.isfinite(buffer.before)
    value = case.facts.get("value", 1.0)
    if case.function == "scalar_power" and value <= 0:
        finite &= case.buffers[0].before != 0
    return np.asarray(finite & np.isfinite(value), dtype=np.bool_)


def _restricted(case: Case, kept: Mask) -> Case:
    """An element-wise case with some of its elements left out."""
    buffers = tuple(
        Buffer(each.name, poison(int(kept.sum())) if each.writable else each.before[kept], each.writable)
        for each in case.buffers
    )
    expected = {
        index: Expected(each.values[kept], each.bound[kept] if isinstance(each.bound, np.ndarray) else each.bound)
        for index, each in case.expected.items()
    }
    return replace(case, buffers=buffers, expected=expected, facts={**case.facts, "size": int(kept.sum())})


def _with_course_tolerance(case: Case) -> Case:
    if case.function not in ELEMENTARY:
        return case
    (index,) = case.expected
    values = case.expected[index].values
    with np.errstate(all="ignore"):
        bound = np.maximum(case.expected[index].bound, COURSE_TOLERANCE * (1 + np.abs(values)))
    return replace(case, expected={index: Expected(values, np.where(np.isfinite(bound), bound, 0.0))})


def _long_sums() -> list[Case]:
    """Sums that a running float32 total loses, as it does 2^25 ones: 2^24 and then a thousand ones."""
    a = np.ones(1001, dtype=np.float32)
    a[0] = 2.0**24
    values = np.array([a.astype(np.float64).sum()])
    return [
        Case(
            id="long_sums-1",
            check="long_sums",
            function="reduce_sum",
            args=(Ref(0), Ref(1), a.size),
            buffers=(Buffer("a", a), Buffer("out", poison(1), writable=True)),
            expected={1: Expected(values, values * 2.0**-22)},
            note="16777216 and a thousand ones",
            facts={"out_size": 1, "reduce_size": a.size},
        )
    ]


def _moved_view(case: ViewCase) -> ViewCase:
    name, argument = case.steps[-1]
    shapes = [case.start[0], *([case.expected[0]] if isinstance(case.expected, tuple) else [])]
    shapes += [step[1] for step in case.steps if step[0] in ("reshape", "broadcast_to")]
    items = [item for step in case.steps if step[0] == "getitem" for item in _items(step[1])]
    if any(0 in shape for shape in shapes):
        return replace(case, check="empty")
    if any(len(shape) == 0 for shape in shapes):
        return replace(case, check="no_axes")
    if Ellipsis in items:
        return replace(case, check="fewer")
    if any(isinstance(item, slice) and (item.step or 1) < 0 for item in items):
        return replace(case, check="negative_steps")
    if any(isinstance(item, int) and item < 0 for item in items):
        return replace(case, check="negative_integers")
    if name == "reshape":
        return _moved_reshape(case, argument)
    if case.check in ("negative", "clamped"):  # slices: a given part, which comes from our glue
        return replace(case, check="slices")
    return case


def _moved_reshape(case: ViewCase, shape: Any) -> ViewCase:
    if -1 in shape:
        return replace(case, check="minus_one")
    # compact in the course means all of the buffer: rows of it are refused, or reshaped rightly
    return replace(case, check="not_compact_refused") if case.check in ("offset", "not_contiguous_refused") else case


def _items(index: Any) -> Sequence[Any]:
    return index if isinstance(index, tuple) else (index,)
