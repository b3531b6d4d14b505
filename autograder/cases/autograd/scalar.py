"""Cases of the operators between a tensor and a number."""

from __future__ import annotations

import numpy as np

from autograder.autograd.case import Array, TensorCase
from autograder.cases.autograd.numbers import positive, shape_of, signed
from autograder.cases.autograd.question import Answer, Question, V, shown
from autograder.cases.draw import Draw

CLASSES = {"mul_scalar": "MulScalar", "divide_scalar": "DivScalar", "power_scalar": "PowerScalar"}
CLASSES |= {"maximum_scalar": "MaximumScalar"}
CHECKS = (
    *(each for name in CLASSES for each in (name, f"{name}_gradient")),
    *("power_at_zero", "maximum_ties", "dtype"),
)


def functions(name: str) -> list[str]:
    """Both methods of an operator."""
    return [f"{CLASSES[name]}.compute", f"{CLASSES[name]}.gradient"]


def _answers(name: str, a: Array, s: float, g: Array) -> tuple[Answer, Answer]:
    if name == "mul_scalar":
        return Answer(a * s), Answer(g * s, mistakes=[("The number is missing.", g)])
    if name == "divide_scalar":
        mistakes = [("It is multiplied by the number.", g * s), ("The number is missing.", g)]
        return Answer(a / s), Answer(g / s, mistakes=mistakes)
    if name == "power_scalar":
        spread = 1 + np.abs(s * np.log(np.abs(a)))
        by_a = g * s * a ** (s - 1.0)
        whole = ("The exponent is not lowered by one.", g * s * a**s)
        bare = ("The factor s of s * a^(s-1) is missing.", g * a ** (s - 1.0))
        return Answer(a**s, np.abs(a**s) * spread), Answer(by_a, np.abs(by_a) * spread, [whole, bare])
    return Answer(np.maximum(a, s)), Answer(g * (a > s), mistakes=[("The gradient goes to the smaller.", g * (a < s))])


def cases(draw: Draw) -> list[TensorCase]:
    """The cases of `scalar.autograd`."""
    found: list[TensorCase] = []
    numbers: dict[str, tuple[float, ...]] = {
        "mul_scalar": (-2.5, 3),
        "divide_scalar": (-4.0, 3),
        "power_scalar": (3, 2.5, -2.0, -0.5),
    }
    numbers["maximum_scalar"] = (0.75, -1)
    for name in CLASSES:
        for s in numbers[name]:
            for shape in ((3,), (), shape_of(draw, 2)):
                whole = s == int(s)
                a, g = signed(draw, shape) if whole else positive(draw, shape), signed(draw, shape)
                value, by_a = _answers(name, a, s, g)
                asked = Question(f"{name}(a, {s}) of shape {shown(shape)}", a=a).then("y", name, V("a"), s)
                found.append(asked.value(name, functions(name)[:1], value))
                found.append(asked.gradient(f"{name}_gradient", functions(name), g, a=by_a))
    return found + _edges(draw) + _dtype(draw)


def _edges(draw: Draw) -> list[TensorCase]:
    found = []
    a, g = np.array([0.0, 0.0, 2.0, -1.5]), signed(draw, (4,))
    for s, by_a in ((0, np.zeros(4)), (1, np.ones(4)), (2, 2 * a), (3, 3 * a**2)):
        nan = (
            [("0 * inf is NaN: the derivative of a^0 is 0 everywhere.", np.where(a == 0, np.nan, g * by_a))]
            if s == 0
            else []
        )
        asked = Question(f"power_scalar(a, {s}) with a = 0, 0, 2, -1.5", a=a).then("y", "power_scalar", V("a"), s)
        found.append(asked.gradient("power_at_zero", functions("power_scalar"), g, a=Answer(g * by_a, mistakes=nan)))
    a, limit = signed(draw, (5,)), 1.25
    a[[1, 4]] = limit
    g = signed(draw, (5,))
    wrong = [("Ties pass the whole gradient.", g * (a >= limit)), ("Ties pass no gradient.", g * (a > limit))]
    asked = Question(f"maximum_scalar(a, {limit}) with elements equal to it", a=a)
    asked.then("y", "maximum_scalar", V("a"), limit)
    right = Answer(g * ((a > limit) + 0.5 * (a == limit)), mistakes=wrong)
    return [*found, asked.gradient("maximum_ties", functions("maximum_scalar"), g, a=right)]


def _dtype(draw: Draw) -> list[TensorCase]:
    """float32 in, float32 out: in values and in gradients."""
    found = []
    a, g = (positive(draw, (2, 2)).astype("float32") for _ in range(2))
    for name, s in (("mul_scalar", 3), ("divide_scalar", 3), ("power_scalar", 2.5), ("maximum_scalar", 1)):
        value, by_a = _answers(name, a.astype("float64"), s, g.astype("float64"))
        asked = Question(f"{name}(a, {s}) in float32", a=a).then("y", name, V("a"), s)
        found.append(asked.value("dtype", functions(name), value, np.float32))
        found.append(asked.gradient("dtype", functions(name), g, np.float32, a=by_a))
    return found
