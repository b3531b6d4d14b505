"""Cases of relu, sigmoid and abs."""

from __future__ import annotations

import numpy as np

from autograder.autograd.case import Array, TensorCase
from autograder.cases.autograd.numbers import shape_of, signed
from autograder.cases.autograd.question import Answer, Question, V, shown
from autograder.cases.draw import Draw

CLASSES = {"relu": "ReLU", "sigmoid": "Sigmoid", "absolute": "Abs"}
CHECKS = (
    *(each for name in CLASSES for each in (name, f"{name}_gradient")),
    *("relu_at_zero", "absolute_at_zero", "sigmoid_large", "dtype"),
)


def functions(name: str) -> list[str]:
    """Both methods of an operator."""
    return [f"{CLASSES[name]}.compute", f"{CLASSES[name]}.gradient"]


def logistic(a: Array) -> Array:
    """1 / (1 + e^-a) from whichever side does not overflow."""
    small = np.exp(-np.abs(a))
    return np.where(a >= 0, 1 / (1 + small), small / (1 + small))


def _answers(name: str, a: Array, g: Array) -> tuple[Answer, Answer]:
    if name == "relu":
        return Answer(np.maximum(a, 0)), Answer(g * (a > 0), mistakes=[("The gradient passes everywhere.", g)])
    if name == "absolute":
        return Answer(np.abs(a)), Answer(g * np.sign(a), mistakes=[("The sign of a is lost.", g)])
    s, spread = logistic(a), 1 + np.abs(a)
    product = [("It is s alone: the derivative is s * (1 - s).", g * s), ("a stands for s.", g * a * (1 - a))]
    return Answer(s, s * spread), Answer(g * s * logistic(-a), np.abs(g) * s * spread, product)


def cases(draw: Draw) -> list[TensorCase]:
    """The cases of `activations.autograd`."""
    found: list[TensorCase] = []
    for name in CLASSES:
        for shape in ((4,), (), shape_of(draw, 2)):
            a, g = signed(draw, shape), signed(draw, shape)
            value, by_a = _answers(name, a, g)
            asked = Question(f"{name}(a) of shape {shown(shape)}", a=a).then("y", name, V("a"))
            found.append(asked.value(name, functions(name)[:1], value))
            found.append(asked.gradient(f"{name}_gradient", functions(name), g, a=by_a))
    a, g = np.array([0.0, -1.0, 2.0, 0.0, -0.0]), signed(draw, (5,))
    for name in ("relu", "absolute"):
        ones = [
            ("The gradient at 0 is the one from the right; the rule says 0.", g * np.where(a == 0, 1, _slope(name, a)))
        ]
        asked = Question(f"{name}(a) with a = 0, -1, 2, 0, -0", a=a).then("y", name, V("a"))
        found.append(
            asked.gradient(f"{name}_at_zero", functions(name), g, a=Answer(g * _slope(name, a), mistakes=ones))
        )
    return found + _large(draw) + _dtype(draw)


def _slope(name: str, a: Array) -> Array:
    return (a > 0) * 1.0 if name == "relu" else np.sign(a)


def _large(draw: Draw) -> list[TensorCase]:
    a, g = np.array([1e4, -1e4, 800.0, -800.0, 0.0]), signed(draw, (5,))
    asked = Question("sigmoid(a) with a = 1e4, -1e4, 800, -800, 0", a=a).then("y", "sigmoid", V("a"))
    value, slope = np.array([1.0, 0.0, 1.0, 0.0, 0.5]), np.array([0.0, 0.0, 0.0, 0.0, 0.25])
    overflow = [("e^a overflows, and inf / inf is NaN: let no exponent be positive.", [np.nan, 0, np.nan, 0, 0.5])]
    return [
        asked.value("sigmoid_large", functions("sigmoid")[:1], Answer(value, mistakes=overflow)),
        asked.gradient("sigmoid_large", functions("sigmoid"), g, a=g * slope),
    ]


def _dtype(draw: Draw) -> list[TensorCase]:
    found = []
    for name in CLASSES:
        a, g = (signed(draw, (2, 2)).astype("float32") for _ in range(2))
        value, by_a = _answers(name, a.astype("float64"), g.astype("float64"))
        asked = Question(f"{name}(a) in float32", a=a).then("y", name, V("a"))
        found.append(asked.value("dtype", functions(name), value, np.float32))
        found.append(asked.gradient("dtype", functions(name), g, np.float32, a=by_a))
    return found
