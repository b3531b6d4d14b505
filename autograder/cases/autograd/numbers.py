"""Inputs in float64: signed, different for every operand, never at a bend unless the case is about it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from autograder.autograd.case import Array
from autograder.cases.draw import Draw


def signed(draw: Draw, shape: Sequence[int], low: float = 0.5, high: float = 3.0) -> Array:
    """Numbers of both signs with magnitudes in low..high: no zero, no tie with another operand by accident."""
    size = math.prod(shape)
    return (draw.reals(size, low, high).astype("float64") * draw.signs(size)).reshape(tuple(shape))


def positive(draw: Draw, shape: Sequence[int], low: float = 0.5, high: float = 3.0) -> Array:
    """Numbers in low..high."""
    return draw.reals(math.prod(shape), low, high).astype("float64").reshape(tuple(shape))


def shape_of(draw: Draw, axes: int, low: int = 2, high: int = 5) -> tuple[int, ...]:
    """A drawn shape whose lengths differ from each other: a transposed mistake shows."""
    lengths = [low + int(k) for k in draw.order(high - low + 1)]
    return tuple(lengths[:axes])
