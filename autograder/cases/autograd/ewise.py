"""Cases of the operators on elements, and of sum_to_shape, which undoes a broadcast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.autograd.case import Array, TensorCase
from autograder.cases.autograd.numbers import positive, shape_of, signed
from autograder.cases.autograd.question import Answer, Question, V, shown
from autograder.cases.draw import Draw

CLASSES = {"multiply": "EWiseMul", "divide": "EWiseDiv", "maximum": "EWiseMaximum"}
CLASSES |= {"negate": "Negate", "log": "Log", "exp": "Exp", "tanh": "Tanh"}
BINARY = ("multiply", "divide", "maximum")
UNARY = ("negate", "log", "exp", "tanh")
CHECKS = (
    *(each for name in (*BINARY, *UNARY) for each in (name, f"{name}_gradient")),
    *("maximum_ties", "twice"),
)
SUM_CHECKS = ("new_axes", "grown", "both", "square", "differentiable")
_COPY = "It looks like the rule of multiplication."

Formula = Callable[[Array, Array], tuple[Answer, Answer, Answer]]


def _multiply(a: Array, b: Array, g: Array) -> tuple[Answer, ...]:
    swapped = ("a and b look swapped: the derivative by a is b.", g * a)
    return Answer(a * b), Answer(g * b, mistakes=[swapped]), Answer(g * a)


def _divide(a: Array, b: Array, g: Array) -> tuple[Answer, ...]:
    by_b = -g * a / b**2
    mistakes = [
        ("The sign is lost: 1/b falls where b grows.", -by_b),
        ("b stands once, not squared.", by_b * b),
        (_COPY, g * a),
    ]
    return Answer(a / b), Answer(g / b, mistakes=[(_COPY, g * b)]), Answer(by_b, mistakes=mistakes)


def _maximum(a: Array, b: Array, g: Array) -> tuple[Answer, ...]:
    swapped = ("The gradient goes to the smaller of the two.", g * (a < b))
    return Answer(np.maximum(a, b)), Answer(g * (a > b), mistakes=[swapped]), Answer(g * (b > a))


def _one(name: str, a: Array, g: Array) -> tuple[Answer, Answer]:
    if name == "negate":
        return Answer(-a), Answer(-g, mistakes=[("The sign is lost.", g)])
    if name == "log":
        return Answer(np.log(a), 1 + np.abs(np.log(a))), Answer(g / a, mistakes=[("It is multiplied by a.", g * a)])
    if name == "exp":
        rule = ("It looks like the rule of powers: the derivative of e^a is e^a.", g * a * np.exp(a - 1))
        return Answer(np.exp(a), np.exp(a) * (1 + np.abs(a))), Answer(
            g * np.exp(a), g * np.exp(a) * (1 + np.abs(a)), [rule]
        )
    t = np.tanh(a)
    wrong = [("The square is missing: 1 - tanh(a)^2.", g * (1 - t)), ("a stands for tanh(a).", g * (1 - a * a))]
    return Answer(t), Answer(g * (1 - t * t), np.abs(g) * (1 + t * t), wrong)


def cases(draw: Draw) -> list[TensorCase]:
    """The cases of `ewise.autograd`."""
    found: list[TensorCase] = []
    rules: dict[str, Any] = {"multiply": _multiply, "divide": _divide, "maximum": _maximum}
    for name in BINARY:
        for shape in ((3,), (), (2, 3), shape_of(draw, 3)):
            a, b, g = signed(draw, shape), signed(draw, shape, 0.6, 2.5), signed(draw, shape)
            value, by_a, by_b = rules[name](a, b, g)
            asked = Question(f"{name}(a, b) of shape {shown(shape)}", a=a, b=b).then("y", name, V("a"), V("b"))
            forward = f"{CLASSES[name]}.combine"
            found.append(asked.value(name, [forward], value))
            found.append(asked.gradient(f"{name}_gradient", [forward, f"{CLASSES[name]}.partials"], g, a=by_a, b=by_b))
    for name in UNARY:
        for shape in ((4,), (), (2, 3), shape_of(draw, 3)):
            a, g = positive(draw, shape) if name == "log" else signed(draw, shape), signed(draw, shape)
            value, by_a = _one(name, a, g)
            asked = Question(f"{name}(a) of shape {shown(shape)}", a=a).then("y", name, V("a"))
            forward = f"{CLASSES[name]}.compute"
            found.append(asked.value(name, [forward], value))
            found.append(asked.gradient(f"{name}_gradient", [forward, f"{CLASSES[name]}.gradient"], g, a=by_a))
    return found + _edges(draw) + _twice(draw)


def _edges(draw: Draw) -> list[TensorCase]:
    """Where two are equal."""
    a, b = signed(draw, (5,)), signed(draw, (5,))
    b[[0, 3]] = a[[0, 3]]
    g, half = signed(draw, (5,)), np.array([0.5, 0, 0, 0.5, 0])
    wrong = [
        ("Ties give the whole gradient to a.", g * ((a > b) + 2 * half)),
        ("Ties give no gradient to a.", g * (a > b)),
    ]
    asked = Question("maximum(a, b) with equal elements", a=a, b=b).then("y", "maximum", V("a"), V("b"))
    answers = {"a": Answer(g * ((a > b) + half), mistakes=wrong), "b": Answer(g * ((b > a) + half))}
    return [asked.gradient("maximum_ties", ["EWiseMaximum.combine", "EWiseMaximum.partials"], g, **answers)]


def _twice(draw: Draw) -> list[TensorCase]:
    """Second derivatives: the gradient of sum(h * gradient)."""
    found = []
    a, g, h = positive(draw, (4,)), signed(draw, (4,)), signed(draw, (4,))
    tanh = np.tanh(a)
    second = {"log": -1 / a**2, "exp": np.exp(a), "tanh": -2 * tanh * (1 - tanh**2)}
    for name, values in second.items():
        functions = [f"{CLASSES[each]}.{part}" for each in BINARY for part in ("combine", "partials")]
        functions += [f"{CLASSES[each]}.{part}" for each in UNARY for part in ("compute", "gradient")]
        asked = Question(f"the second derivative of {name}(a)", a=a, g=g, h=h).then("y", name, V("a"))
        asked.then("first", "gradient", V("y"), V("g"), V("a"))
        asked.then("second", "gradient", V("first"), V("h"), V("a"))
        found.append(asked.value("twice", functions, Answer(g * h * values, np.abs(g * h) * 8)))
    return found


def sum_cases(draw: Draw) -> list[TensorCase]:
    """The cases of `sum_to_shape.autograd`."""
    kinds = {
        "new_axes": [((2, 3), (3,)), ((2, 3, 4), (4,)), ((2, 3), ()), ((2, 3, 4), (3, 4))],
        "grown": [((3, 4), (3, 1)), ((3, 4), (1, 4)), ((3, 4), (1, 1)), ((2, 3, 4), (2, 1, 4))],
        "both": [((2, 3, 4, 5), (3, 1, 5)), ((4, 3), (1,)), ((2, 1, 3), (1, 3)), ((3, 2, 4), (1, 4))],
        "square": [((3, 3), (3,)), ((3, 3), (1, 3)), ((3, 3), (3, 1)), ((2, 2, 2), (2,))],
    }
    found = []
    for check, pairs in kinds.items():
        for old, new in pairs:
            grad = signed(draw, old)
            asked = Question(f"sum_to_shape of {shown(old)} to {shown(new)}", grad=grad)
            found.append(
                asked.then("y", "sum_to_shape", V("grad"), new).value(check, ["sum_to_shape"], summed(grad, new))
            )
    grad, g = signed(draw, (2, 3, 4)), signed(draw, (3, 1))
    asked = Question("sum_to_shape of (2, 3, 4) to (3, 1)", grad=grad).then("y", "sum_to_shape", V("grad"), (3, 1))
    return [*found, asked.gradient("differentiable", ["sum_to_shape"], g, grad=np.broadcast_to(g, (2, 3, 4)))]


def summed(grad: Array, new: tuple[int, ...], left: bool = False) -> Answer:
    """What sum_to_shape must give, one element of the small shape after the other."""
    total, magnitude = np.zeros(new), np.zeros(new)
    for index in np.ndindex(grad.shape):
        inner = index[len(index) - len(new) :]
        place = tuple(0 if length == 1 else k for length, k in zip(new, inner, strict=True))
        total[place] += grad[index]
        magnitude[place] += abs(grad[index])
    mistakes = []
    if len(new) < grad.ndim and grad.shape[: len(new)] == new and new:
        wrong = grad.sum(axis=tuple(range(len(new), grad.ndim)))
        mistakes.append(("The last axes are summed, not the first: shapes are aligned at the right.", wrong))
    return Answer(total, magnitude, mistakes, terms=grad.size)
