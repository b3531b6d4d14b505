"""Models of the mistakes that students make, one module per family."""

from __future__ import annotations

import functools

from autograder.mistakes import compact, ewise, matmul, matmul_tiled, power, reduce, scalar, setitem
from autograder.mistakes.model import Mistake

__all__ = ["Mistake", "mistakes_for"]


@functools.cache
def mistakes_for(function: str) -> tuple[Mistake, ...]:
    """The models for one function of the contract, likeliest first; none for a function that is given.

    Example: `mistakes_for("compact")`
    """
    if function == "ewise_power":
        return power.MISTAKES
    if function.startswith("reduce"):
        return reduce.MISTAKES
    if function.endswith("setitem"):
        return setitem.MISTAKES
    if function.startswith(("ewise", "scalar")):
        family = scalar if function.startswith("scalar") else ewise
        return family.mistakes_of(function) if not function.endswith("add") else ()
    return {"compact": compact.MISTAKES, "matmul": matmul.MISTAKES, "matmul_tiled": matmul_tiled.MISTAKES}.get(
        function, ()
    )
