"""Models of mistakes in the functions of an array and a number: those of two arrays, and a few about powers."""

from __future__ import annotations

import re

import numpy as np

from autograder.mistakes import ewise
from autograder.mistakes.ewise import Special
from autograder.mistakes.model import Mistake

_POWER: Special = (
    ("power-of-whole-part", "The exponent looks cut to a whole number.", lambda a, b: np.power(a, np.trunc(b))),
    (
        "power-by-logarithm",
        "It looks computed as exp(value * log(a)): what is the logarithm of a negative base?",
        lambda a, b: np.exp(b * np.log(a)),
    ),
    ("power-of-magnitude", "The sign of the base is lost.", lambda a, b: np.power(np.abs(a), b)),
)


def _spoken(words: str) -> str:
    """The second operand is called `value` here."""
    return re.sub(r"\bb\b(\[i\])?", "value", words)


def mistakes_of(function: str) -> tuple[Mistake, ...]:
    """The models for one function `scalar_*`."""
    return ewise.mistakes_of(function, _POWER if function == "scalar_power" else (), _spoken)
