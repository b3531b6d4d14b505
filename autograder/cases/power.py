"""Cases of ewise_power at each of its boundaries: specification, dispatch, border and the two kernels.

Where a boundary above the kernel is graded, the kernel below is a stand-in that gives 1000 a + b: that is exact, and
tells which operand came first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.case import Buffer, Case, Expected, Float32, Float64, Ref
from autograder.cases import bounds
from autograder.cases.draw import Draw, poison
from autograder.cases.oracle import addresses

LENGTHS = (1, 255, 256, 257, 1000)
Layout = tuple[tuple[int, ...], tuple[int, ...], int]

CHECKS: dict[str, tuple[str, ...]] = {
    "power.numpy": ("values", "negative_base", "special", "dtype"),
    "power.dispatch": ("values", "views", "shapes_refused", "devices_refused"),
    "power.binding": ("values", "sizes_refused", "nothing_to_do"),
    "power.cpu": ("values", "negative_base", "special"),
    "power.cuda": ("values", "negative_base", "special"),
}
_NAN, _INF = float("nan"), float("inf")
SPECIAL = (
    (0.0, 0.0),
    (0.0, -1.0),
    (-8.0, 0.5),
    (_NAN, 0.0),
    (_INF, -1.0),
    (2.0, _INF),
    (0.5, _INF),
    (-0.5, 0.0),
    (1.0, 7.0),
)


def _power(a: Float32, b: Float32) -> Float64:
    with np.errstate(all="ignore"):
        values = np.power(a.astype(np.float64), b.astype(np.float64))
    return np.where(np.abs(values) > np.finfo(np.float32).max, np.copysign(np.inf, values), values)


def _case(
    check: str, function: str, note: str, a: Float32, b: Float32, values: Float64, exact: bool, **facts: Any
) -> Case:
    bound = 0.0 if exact else bounds.of_ulps(values, bounds.ULPS_POWER)
    buffers = (Buffer("a", a), Buffer("b", b), Buffer("out", poison(values.size), writable=True))
    args = facts.pop("args", (Ref(0), Ref(1), Ref(2)))
    return Case("", check, function, args, buffers, {2: Expected(values, bound)}, note, {"size": values.size, **facts})


def kernel_cases(draw: Draw, function: str = "ewise_power") -> list[Case]:
    """The cases of a kernel, and of the specification."""
    found = []
    for size in (*LENGTHS, draw.integer(2, 900)):
        # |b log a| stays below 6, where exp(b * log(a)) in float32 is as good as a library's power
        a, b = draw.reals(size, 0.2, 4.0), draw.reals(size, -3.0, 3.0)
        found.append(_case("values", function, f"{size} elements", a, b, _power(a, b), False))
    for size in (7, 257):
        a, b = draw.small(size, 5), draw.integers(size, -3, 4).astype(np.float32)
        a[0], b[0] = -3.0, 3.0
        found.append(_case("negative_base", function, "whole exponents", a, b, _power(a, b), False))
    pairs = np.array(SPECIAL, dtype=np.float32)
    a, b = pairs[:, 0].copy(), pairs[:, 1].copy()
    return [*found, _case("special", function, "zeros, infinities and NaN", a, b, _power(a, b), False)]


def numpy_cases(draw: Draw) -> list[Case]:
    """The cases of the specification: those of a kernel, and arrays of float64."""
    found = kernel_cases(draw)
    a, b = draw.reals(9, 0.2, 4.0), draw.reals(9, -3.0, 3.0)
    # The child widens the inputs and looks at the result in float64: 0 where it holds more than float32 could.
    return [*found, _case("dtype", "ewise_power_in_float64", "float64 in, float64 out", a, b, np.zeros(9), True)]


def _told(a: Float32, b: Float32) -> Float64:
    return 1000.0 * a.astype(np.float64) + b.astype(np.float64)


def binding_cases(draw: Draw) -> list[Case]:
    """The cases of the border: what reaches the kernel, and what is refused before."""
    found = []
    for size in LENGTHS:
        a, b = draw.small(size, 90), draw.small(size, 90)
        found.append(_case("values", "ewise_power", f"{size} elements", a, b, _told(a, b), True))
    empty = np.empty(0, np.float32)
    found.append(_case("nothing_to_do", "ewise_power", "no elements", empty, empty, np.empty(0), True))
    for sizes, words in (
        ((4, 5, 4), "a has 4 elements and b has 5"),
        ((5, 4, 5), "a has 5 elements and b has 4"),
        ((4, 4, 5), "a has 4 elements and out has 5"),
        ((4, 4, 3), "a has 4 elements and out has 3"),
        ((3, 3, 0), "a has 3 elements and out has 0"),
        ((0, 3, 0), "a has 0 elements and b has 3"),
    ):
        a, b = draw.small(sizes[0], 90), draw.small(sizes[1], 90)
        refused = ("ValueError", f"ewise_power: sizes must agree, but {words}")
        note = f"sizes {sizes[0]}, {sizes[1]} and {sizes[2]}"
        found.append(_case("sizes_refused", "ewise_power", note, a, b, np.zeros(sizes[2]), True, refused=refused))
    return found


VIEWS: tuple[tuple[str, int, Layout], ...] = (
    ("a transposed view", 6, ((3, 2), (1, 3), 0)),
    ("a view that starts inside its buffer", 9, ((3, 2), (2, 1), 3)),
    ("a view with a step", 12, ((3, 2), (4, 2), 0)),
    ("a broadcast view", 3, ((3, 2), (1, 0), 0)),
    ("the second half of a buffer", 12, ((3, 2), (2, 1), 6)),
)


def _seen(buffer: Float32, layout: Layout) -> Float32:
    return buffer[addresses(*layout)]


def _rows(shape: tuple[int, ...]) -> Layout:
    strides = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
    return shape, strides, 0


def dispatch_cases(draw: Draw) -> list[Case]:
    """The cases of NDArray's `**`: contiguous arrays, views on either side, and what is refused."""
    found = []

    def add(
        check: str, note: str, left: tuple[int, Layout], right: tuple[int, Layout], other: int = 0, refused: str = ""
    ) -> None:
        a, b = draw.distinct(left[0]), draw.distinct(right[0], start=200)
        args = (Ref(0), *left[1], Ref(1), *right[1], other, Ref(2))
        values = np.zeros(math.prod(left[1][0])) if refused else _told(_seen(a, left[1]), _seen(b, right[1]))
        facts = {"refused": (refused, "")} if refused else {}
        found.append(_case(check, "power", note, a, b, values, True, args=args, **facts))

    for size in LENGTHS:
        whole = (size, _rows((size,)))
        add("values", f"{size} elements", whole, whole)
    plain = (6, _rows((3, 2)))
    add("values", "two axes", plain, plain)
    for note, size, layout in VIEWS:
        add("views", f"{note} to the power of an array", (size, layout), plain)
        add("views", f"an array to the power of {note}", plain, (size, layout))
    add("views", "two views", VIEWS[0][1:], VIEWS[3][1:])
    for shape in ((2, 3), (6,), (3, 1), (1, 3, 2)):
        add(
            "shapes_refused",
            f"shapes (3, 2) and {shape}",
            plain,
            (math.prod(shape), _rows(shape)),
            refused="ValueError",
        )
    add("devices_refused", "arrays on two devices", plain, plain, other=1, refused="ValueError")
    return found


_CASES: dict[str, Callable[[Draw], list[Case]]] = {
    "power.numpy": numpy_cases,
    "power.dispatch": dispatch_cases,
    "power.binding": binding_cases,
    "power.cpu": kernel_cases,
    "power.cuda": kernel_cases,
}


def cases_for(exercise_id: str, seed: int | str) -> list[Case]:
    """The cases of one boundary, without ids.

    Example: `cases_for("power.dispatch", 7)`
    """
    return _CASES[exercise_id](Draw(seed, exercise_id))
