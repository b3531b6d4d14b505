"""Cases of the gradient of a ** b."""

from __future__ import annotations

import numpy as np

from autograder.autograd.case import TensorCase
from autograder.cases.autograd.numbers import positive, shape_of, signed
from autograder.cases.autograd.question import Answer, Question, V, shown
from autograder.cases.draw import Draw

CHECKS = ("by_base", "by_exponent", "at_zero", "twice")
PARTIALS = ["EWisePow.partials"]


def cases(draw: Draw) -> list[TensorCase]:
    """The cases of `power.gradient`."""
    found: list[TensorCase] = []
    for shape in ((3,), (), (2, 3), shape_of(draw, 3)):
        a, b, g = positive(draw, shape), signed(draw, shape, 0.6, 2.5), signed(draw, shape)
        spread = 1 + np.abs(b * np.log(a))  # a rounding of the exponent counts as often as the exponent is large
        by_a, by_b = g * b * a ** (b - 1), g * a**b * np.log(a)
        first = [("It is the rule of multiplication.", g * b), ("The exponent is not lowered by one.", g * b * a**b)]
        second = [("It is the rule of multiplication.", g * a)]
        second.append(("The factor log(a) is missing: a^b is e^(b log a).", g * a**b))
        asked = Question(f"a ** b of shape {shown(shape)}", a=a, b=b).then("y", "power", V("a"), V("b"))
        found.append(asked.gradient("by_base", PARTIALS, g, a=Answer(by_a, np.abs(by_a) * spread, first)))
        size = np.abs(g) * a**b * spread
        found.append(asked.gradient("by_exponent", PARTIALS, g, b=Answer(by_b, size, second)))
    return [*found, *_at_zero(draw), _twice(draw)]


def _at_zero(draw: Draw) -> list[TensorCase]:
    """Where the formulas meet 0 * inf."""
    a, b = np.array([0.0, 0.0, 0.0, 2.0]), np.array([0.0, 2.0, 1.0, 0.0])
    g = signed(draw, (4,))
    asked = Question("a ** b with a = 0, 0, 0, 2 and b = 0, 2, 1, 0", a=a, b=b).then("y", "power", V("a"), V("b"))
    nan = [("0 * inf is NaN: where b is 0, b * a^(b-1) is 0 whatever a is.", g * [np.nan, 0, 1, 0])]
    log = [("0 * -inf is NaN: a^b log(a) goes to 0 with a.", g * [-np.inf, np.nan, np.nan, np.log(2.0)])]
    by_a, by_b = Answer(g * [0, 0, 1, 0], mistakes=nan), Answer(g * [0, 0, 0, np.log(2.0)], mistakes=log)
    return [asked.gradient("at_zero", PARTIALS, g, a=by_a), asked.gradient("at_zero", PARTIALS, g, b=by_b)]


def _twice(draw: Draw) -> TensorCase:
    """The second derivative by the base: the gradient of the sum of h times the gradient."""
    a, g, h = positive(draw, (4,)), signed(draw, (4,)), signed(draw, (4,))
    b = signed(draw, (4,), 1.2, 2.8)
    asked = Question("the second derivative of a ** b by a", a=a, b=b, g=g, h=h).then("y", "power", V("a"), V("b"))
    asked.then("first", "gradient", V("y"), V("g"), V("a")).then("second", "gradient", V("first"), V("h"), V("a"))
    values = g * h * b * (b - 1) * a ** (b - 2)
    return asked.value("twice", PARTIALS, Answer(values, (1 + np.abs(values)) * 40))
