"""Models of mistakes in ewise_power: another operator in its place, or the operands swapped."""

from __future__ import annotations

from autograder.mistakes import ewise
from autograder.mistakes.model import Mistake

MISTAKES: tuple[Mistake, ...] = ewise.mistakes_of("ewise_power")
