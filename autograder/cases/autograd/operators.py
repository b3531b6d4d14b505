"""Cases of Tensor's operators: values with the tensor on both sides, because a gradient check sees no difference.

The gradient of `x - 1` is a right gradient, also where `1 - x` was asked for. So values are asked first.
"""

from __future__ import annotations

import numpy as np

from autograder.autograd.case import TensorCase
from autograder.cases.autograd.numbers import positive, signed
from autograder.cases.autograd.question import Answer, Question, V
from autograder.cases.draw import Draw

NAMES = ("subtract", "subtract_from", "divide_from", "power_from")
CHECKS = tuple(each for name in NAMES for each in (name, f"{name}_gradient"))


def cases(draw: Draw) -> list[TensorCase]:
    """The cases of `operators.autograd`."""
    found: list[TensorCase] = []
    for shape in ((3,), (2, 3)):
        a, b, g = signed(draw, shape), signed(draw, shape), signed(draw, shape)
        asked = Question("a - b", a=a, b=b).then("y", "-", V("a"), V("b"))
        turned = [("It is b - a.", b - a), ("It is a + b.", a + b)]
        found.append(asked.value("subtract", ["subtract"], Answer(a - b, np.abs(a) + np.abs(b), turned)))
        by_b = Answer(-g, mistakes=[("The sign of b's gradient is lost.", g)])
        found.append(asked.gradient("subtract_gradient", ["subtract"], g, a=g, b=by_b))
        for s in (2.5, -1, 7):
            asked = Question(f"a - {s}", a=a).then("y", "-", V("a"), s)
            right = Answer(a - s, np.abs(a) + abs(s), [(f"It is {s} - a.", s - a), (f"It is a + {s}.", a + s)])
            found.append(asked.value("subtract", ["subtract"], right))
            found.append(asked.gradient("subtract_gradient", ["subtract"], g, a=g))
            asked = Question(f"{s} - a", a=a).then("y", "-", s, V("a"))
            turned = [(f"It is a - {s}: the number stands on the left.", a - s), (f"It is a + {s}.", a + s)]
            found.append(asked.value("subtract_from", ["subtract_from"], Answer(s - a, np.abs(a) + abs(s), turned)))
            by_a = Answer(-g, mistakes=[("The gradient is that of a: the number minus a falls where a grows.", g)])
            found.append(asked.gradient("subtract_from_gradient", ["subtract_from"], g, a=by_a))
            asked = Question(f"{s} / a", a=a).then("y", "/", s, V("a"))
            right = Answer(s / a, mistakes=[(f"It is a / {s}: the number stands on the left.", a / s)])
            found.append(asked.value("divide_from", ["divide_from"], right))
            by_a = Answer(-g * s / a**2, mistakes=[("The sign is lost.", g * s / a**2)])
            found.append(asked.gradient("divide_from_gradient", ["divide_from"], g, a=by_a))
        a = positive(draw, shape) - 1.5
        for s in (3, 0.5):
            spread = 1 + np.abs(a * np.log(s))
            asked = Question(f"{s} ** a", a=a).then("y", "**", s, V("a"))
            with np.errstate(invalid="ignore"):
                turned = [(f"It is a ** {s}: the number is the base.", a**s)]
            found.append(asked.value("power_from", ["power_from"], Answer(s**a, s**a * spread, turned)))
            by_a, bare = g * s**a * np.log(s), [("The factor log(base) is missing.", g * s**a)]
            found.append(
                asked.gradient("power_from_gradient", ["power_from"], g, a=Answer(by_a, np.abs(by_a) * spread, bare))
            )
    return found
