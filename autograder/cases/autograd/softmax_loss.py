"""Cases of the softmax loss: the mean of logsumexp(row) - row[label]."""

from __future__ import annotations

import numpy as np

from autograder.autograd.case import TensorCase
from autograder.cases.autograd.numbers import signed
from autograder.cases.autograd.question import Answer, Question, V
from autograder.cases.draw import Draw

CHECKS = ("loss", "gradient", "one_row", "large", "dtype")
FORWARD = ["SoftmaxLoss.forward"]


def cases(draw: Draw) -> list[TensorCase]:
    """The cases of `softmax_loss.autograd`."""
    found: list[TensorCase] = []
    for batch, classes in ((4, 3), (2, 5), (3, 3), (6, 2)):
        found += _pair(draw, signed(draw, (batch, classes)), ("loss", "gradient"))
    found += _pair(draw, signed(draw, (1, 4)), ("one_row", "one_row"))
    large = np.array([[1e4, 0.0, -1e4], [-1e4, -1e4, 1e4], [1e4, 1e4, 1e4]])
    found += _pair(draw, large, ("large", "large"), labels=np.array([1, 2, 0]))
    return found + _pair(draw, signed(draw, (4, 3)).astype("float32"), ("dtype", "dtype"))


def _pair(
    draw: Draw, logits: np.ndarray, checks: tuple[str, str], labels: np.ndarray | None = None
) -> list[TensorCase]:
    batch, classes = logits.shape
    labels = draw.integers(batch, 0, classes - 1) if labels is None else labels
    z = logits.astype("float64")
    highest = z.max(1, keepdims=True)
    soft = np.exp(z - highest)
    whole = np.log(soft.sum(1, keepdims=True)) + highest
    chosen = np.eye(classes)[labels]
    row = (whole - z)[np.arange(batch), labels]
    loss, size = row.mean(), np.abs(z).max() * 2 + 2
    mistakes = [
        ("It is the sum over the batch, not the mean.", loss * batch),
        ("The sign is turned: a loss falls where the label's logit grows.", -loss),
        ("It is divided by the number of classes, not of rows.", loss * batch / classes),
    ]
    by_logits = (soft / soft.sum(1, keepdims=True) - chosen) / batch
    asked = Question(
        f"SoftmaxLoss of {batch} rows, {classes} classes, labels {labels.tolist()}", logits=logits, y=labels
    )
    asked.then("module", "SoftmaxLoss").then("loss", ".forward", V("module"), V("logits"), V("y"))
    seed = np.ones((), dtype=logits.dtype)
    undivided = [("It is not divided by the number of rows.", by_logits * batch), ("The sign is turned.", -by_logits)]
    return [
        asked.value(checks[0], FORWARD, Answer(loss, size, mistakes, terms=logits.size), logits.dtype),
        asked.gradient(
            checks[1], FORWARD, seed, logits.dtype, logits=Answer(by_logits, size, undivided, terms=logits.size)
        ),
    ]
