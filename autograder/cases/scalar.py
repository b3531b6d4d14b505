"""Cases of the functions of an array and a number."""

from __future__ import annotations

import numpy as np

from autograder.case import Buffer, Case, Expected, Float32, Ref
from autograder.cases import bounds
from autograder.cases.draw import SIZES, Draw, poison
from autograder.cases.ewise import BLOCK_SIZES, SMALL_SIZES
from autograder.cases.oracle import elementwise

CHECKS = (
    ("mul", "scalar_mul: `out[i] = a[i] * value`."),
    ("div", "scalar_div: `out[i] = a[i] / value`."),
    ("power", "scalar_power: `a[i]` to the power of `value`; a negative base with a fractional exponent gives NaN."),
    ("maximum", "scalar_maximum: `out[i]` is the larger of `a[i]` and `value`."),
    ("eq", "scalar_eq: `out[i]` is 1.0 where `a[i]` equals `value`, else 0.0."),
    ("ge", "scalar_ge: `out[i]` is 1.0 where `a[i] >= value`, else 0.0."),
    ("maximum_nan", "scalar_maximum: where `a[i]` or `value` is NaN, `out[i]` is NaN."),
)
NAMES = ("mul", "div", "power", "maximum", "eq", "ge")
_EXPONENTS = (2.0, 3.0, 0.5, -1.0, 1.0, 0.0, -1.5)
_NAN, _INF = float("nan"), float("inf")
_SPECIALS: tuple[tuple[str, tuple[float, ...], float], ...] = (
    ("power", (-2.0, 2.0), 3.0),
    ("power", (-2.0, 2.0), 0.5),
    ("power", (0.0, 2.0), -1.0),
    ("power", (0.0, -3.0), 0.0),
    ("power", (-3.0, 0.0), 2.0),
    ("div", (1.0, -3.0, 0.0, 5.0), 0.0),
    ("maximum", (-3e38, -_INF, -1e-30), -3.25e38),
    ("maximum", (-3e38, -_INF, -1e-30), -7.0),
    ("eq", (1.0000001192092896, 1.0, _NAN, -1.0), 1.0),
    ("eq", (_INF, -_INF, _NAN, 3.0), _INF),
    ("eq", (-0.0, 0.0, 1e-30), 0.0),
    ("eq", (_NAN, 1.0), _NAN),
    ("ge", (_INF, -_INF, _NAN, 3.0, 2.0), 3.0),
    ("ge", (_NAN, 1.0), _NAN),
)


def cases(draw: Draw, device: str) -> list[Case]:
    """The cases of `scalar_*` for one device."""
    sizes = SMALL_SIZES + (BLOCK_SIZES if device == "cuda" else ())
    found: list[Case] = []
    for name in NAMES:
        drawn = (draw.choice(SIZES), draw.integer(258, 1300))
        for turn, size in enumerate(sizes + drawn):
            a, value = _operands(draw, name, size, turn)
            found.append(_case(name, f"{size} elements and {value:g}", a, value))
    for name, elements, value in _SPECIALS:
        found.append(_case(name, f"special values and {value:g}", np.array(elements, dtype=np.float32), value))
    holes = np.array([np.nan, 4, -2, np.nan], np.float32)
    found.append(_case("maximum", "NaN in the array", holes, 1.5, check="maximum_nan"))
    found.append(_case("maximum", "NaN as the number", draw.distinct(4), float("nan"), check="maximum_nan"))
    return found


def _operands(draw: Draw, name: str, size: int, turn: int) -> tuple[Float32, float]:
    """An array and a number; where ties matter, a third of the elements equal the number."""
    if name == "power":
        exponent = _EXPONENTS[turn % len(_EXPONENTS)]
        whole = exponent in (2.0, 3.0)
        return (draw.small(size, 12) if whole else draw.reals(size, 0.25, 20.0)), exponent
    value = float(draw.integer(2, 9) * (-1 if draw.integer(0, 1) else 1))
    if name == "div":
        return draw.small(size, 90), value
    a = draw.small(size, 60)
    if name in ("eq", "ge", "maximum"):
        ties = draw.integers(size, 0, 2) == 0
        if size:
            ties[0] = True
        a = np.where(ties, value, a).astype(np.float32)
    return a, value


def _case(name: str, note: str, a: Float32, value: float, check: str = "") -> Case:
    function = f"scalar_{name}"
    value = float(np.float32(value))  # what the kernel gets, so that the exact answer is of the same number
    values = elementwise(function, a, value)
    bound: bounds.Float64 | float = 0.0
    if name == "div":
        bound = bounds.of_roundings(values, 3)
    elif name == "power":
        bound = bounds.of_ulps(values, bounds.ULPS_POWER)
    return Case(
        id="",
        check=check or name,
        function=function,
        args=(Ref(0), value, Ref(1)),
        buffers=(Buffer("a", a), Buffer("out", poison(a.size), writable=True)),
        expected={1: Expected(values, bound)},
        note=note,
        facts={"size": int(a.size), "value": value},
    )
