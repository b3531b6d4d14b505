"""Cases of the element-wise functions of two arrays or of one."""

from __future__ import annotations

import numpy as np

from autograder.case import Buffer, Case, Expected, Float32, Ref
from autograder.cases import bounds
from autograder.cases.draw import SIZES, Draw, poison
from autograder.cases.oracle import elementwise

CHECKS = (
    ("mul", "ewise_mul: `out[i] = a[i] * b[i]`."),
    ("div", "ewise_div: `out[i] = a[i] / b[i]`; a division by zero gives an infinity or NaN, as IEEE 754 says."),
    ("maximum", "ewise_maximum: `out[i]` is the larger of `a[i]` and `b[i]`."),
    ("eq", "ewise_eq: `out[i]` is 1.0 where `a[i]` equals `b[i]`, else 0.0."),
    ("ge", "ewise_ge: `out[i]` is 1.0 where `a[i] >= b[i]`, else 0.0."),
    ("log", "ewise_log: the natural logarithm; log 0 is minus infinity, and of a negative number NaN."),
    ("exp", "ewise_exp: e to the power of `a[i]`."),
    ("tanh", "ewise_tanh: the hyperbolic tangent of `a[i]`."),
    ("maximum_nan", "ewise_maximum: where `a[i]` or `b[i]` is NaN, `out[i]` is NaN."),
)
BINARY = ("mul", "div", "maximum", "eq", "ge")
UNARY = ("log", "exp", "tanh")
SMALL_SIZES = (5, 0, 33, 255, 257)  # at 255 the whole groups of 4, 8, ..., 256 end in different places
BLOCK_SIZES = (512, 513, 1536)  # whole blocks of 256 threads, and one more: only where there are blocks

_NAN, _INF = float("nan"), float("inf")
_SPECIAL_PAIRS = {
    "mul": ((_INF, -2.0), (0.0, 7.0), (-0.5, -_INF), (3.0, 0.25)),
    "div": ((1.0, 0.0), (-3.0, 0.0), (0.0, 0.0), (5.0, _INF), (0.0, -4.0)),
    "maximum": ((-_INF, -5.0), (_INF, 5.0), (-3e38, -3.2e38), (-_INF, -_INF), (-1e-30, -2e-30)),
    "eq": ((_INF, _INF), (_INF, -_INF), (0.0, -0.0), (_NAN, _NAN), (_NAN, 1.0), (1.0, 1.0000001192092896)),
    "ge": ((_INF, _INF), (-_INF, _INF), (0.0, -0.0), (_NAN, _NAN), (_NAN, 1.0), (1.0, _NAN), (-3.0, -3.0)),
}
_SPECIAL_SINGLES = {
    "log": (0.0, -1.0, _INF, 1.0, 3e38, 1.2e-38),
    "exp": (-_INF, _INF, 0.0, 89.0, -104.5, 88.0, -80.0),
    "tanh": (_INF, -_INF, 0.0, 30.0, -30.0, 1e-3),
}
_RANGES = {"log": (0.05, 40.0), "exp": (-9.0, 9.0), "tanh": (-3.0, 3.0)}


def cases(draw: Draw, device: str) -> list[Case]:
    """The cases of `ewise_*` for one device."""
    sizes = SMALL_SIZES + (BLOCK_SIZES if device == "cuda" else ())
    found: list[Case] = []
    for name in BINARY:
        pairs = np.array(_SPECIAL_PAIRS[name], dtype=np.float32)
        found += [_case(name, f"{size} elements", *_operands(draw, name, size)) for size in sizes]
        found.append(_case(name, "special values", pairs[:, 0].copy(), pairs[:, 1].copy()))
        found += [_case(name, f"{size} elements", *_operands(draw, name, size)) for size in _drawn(draw)]
    for name in UNARY:
        found += [_case(name, f"{size} elements", draw.reals(size, *_RANGES[name])) for size in sizes]
        found.append(_case(name, "special values", np.array(_SPECIAL_SINGLES[name], dtype=np.float32)))
        found += [_case(name, f"{size} elements", draw.reals(size, *_RANGES[name])) for size in _drawn(draw)]
    a, b = draw.distinct(9), draw.distinct(9, start=20)
    a[[1, 4]], b[[2, 4]] = np.nan, np.nan
    found.append(_case("maximum", "NaN on the left, on the right, and on both sides", a, b, check="maximum_nan"))
    return found


def _drawn(draw: Draw) -> tuple[int, ...]:
    return draw.choice(SIZES), draw.integer(258, 1300)


def _operands(draw: Draw, name: str, size: int) -> tuple[Float32, Float32]:
    """Different operands, a third of them tied where ties matter."""
    a, b = draw.small(size, 60), draw.small(size, 90)
    if name in ("eq", "ge", "maximum"):
        ties = draw.integers(size, 0, 2) == 0
        if size:
            ties[0] = True
        b = np.where(ties, a, b).astype(np.float32)
    return a, b


def _case(name: str, note: str, a: Float32, b: Float32 | None = None, check: str = "") -> Case:
    function = f"ewise_{name}"
    values = elementwise(function, a, b)
    inputs = (Buffer("a", a),) if b is None else (Buffer("a", a), Buffer("b", b))
    bound: bounds.Float64 | float = 0.0
    if name == "div":
        bound = bounds.of_roundings(values, 3)
    elif name in UNARY:
        values = _in_float32_range(values)
        bound = bounds.of_ulps(values, bounds.ULPS_ELEMENTARY)
    return Case(
        id="",
        check=check or name,
        function=function,
        args=tuple(Ref(k) for k in range(len(inputs) + 1)),
        buffers=(*inputs, Buffer("out", poison(a.size), writable=True)),
        expected={len(inputs): Expected(values, bound)},
        note=note,
        facts={"size": int(a.size)},
    )


def _in_float32_range(values: bounds.Float64) -> bounds.Float64:
    """What float32 can hold of an exact value: beyond its range an infinity, below its smallest number 0."""
    held = np.where(np.abs(values) > np.finfo(np.float32).max, np.copysign(np.inf, values), values)
    return np.where(np.abs(held) < bounds.SMALLEST / 2, 0.0, held)
