"""Cases of the matrix product: rectangular, with batches, and with batches that broadcast."""

from __future__ import annotations

import numpy as np

from autograder.autograd.case import Array, TensorCase
from autograder.cases.autograd.ewise import summed
from autograder.cases.autograd.numbers import signed
from autograder.cases.autograd.question import Answer, Question, V, shown
from autograder.cases.draw import Draw

CHECKS = ("product", "batches", "gradient", "gradient_square", "gradient_batches", "gradient_batch_of_one")
BOTH = ["MatMul.compute", "MatMul.gradient"]
Shape = tuple[int, ...]
PAIRS: dict[str, list[tuple[Shape, Shape]]] = {
    "gradient": [((2, 3), (3, 4)), ((1, 5), (5, 1)), ((4, 1), (1, 2))],
    "gradient_square": [((3, 3), (3, 3))],
    "gradient_batches": [((2, 5, 4), (4, 3)), ((5, 4), (2, 4, 3)), ((2, 3, 4, 2), (2, 3)), ((2, 3, 2), (2, 2, 3))],
    "gradient_batch_of_one": [((1, 2, 3), (4, 3, 2)), ((3, 2, 1), (3, 3, 1, 2)), ((2, 1, 2, 3), (1, 3, 3, 4))],
}


def products(g: Array, a: Array, b: Array) -> tuple[Answer, Answer]:
    """Both gradients, summed back to the operands' shapes."""
    by_a, by_b = g @ np.swapaxes(b, -1, -2), np.swapaxes(a, -1, -2) @ g
    answers = []
    for whole, operand in ((by_a, a), (by_b, b)):
        summed_back = summed(whole, operand.shape)
        magnitude = np.full(operand.shape, np.abs(g).sum() * max(np.abs(a).max(), np.abs(b).max()))
        mistakes = [("The batch axes are not summed back.", whole)] if whole.shape != operand.shape else []
        answers.append(Answer(summed_back.values, magnitude, mistakes, terms=whole.size))
    return answers[0], answers[1]


def cases(draw: Draw) -> list[TensorCase]:
    """The cases of `matmul.autograd`."""
    found: list[TensorCase] = []
    for check, pairs in PAIRS.items():
        for left, right in pairs:
            a, b = signed(draw, left), signed(draw, right)
            y = a @ b
            g = signed(draw, y.shape)
            asked = Question(f"a @ b of shapes {shown(left)} and {shown(right)}", a=a, b=b)
            asked.then("y", "matmul", V("a"), V("b"))
            by_a, by_b = products(g, a, b)
            if check == "gradient_square":
                unturned = [("b is not transposed.", g @ b), ("The sides look swapped.", np.swapaxes(b, -1, -2) @ g)]
                by_a = Answer(by_a.values, by_a.magnitude, unturned, by_a.terms)
            value = Answer(y, np.abs(a) @ np.abs(b), terms=left[-1])
            found.append(asked.value("product" if len(y.shape) == 2 else "batches", BOTH[:1], value))
            found.append(asked.gradient(check, BOTH, g, a=by_a, b=by_b))
    return found
