"""The cases of every exercise of the Needle layer. Right answers come from small formulas of our own, in float64."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from autograder.autograd.case import TensorCase
from autograder.cases.autograd import (
    activations,
    ewise,
    graph,
    matmul,
    operators,
    power,
    reduce,
    scalar,
    softmax_loss,
    views,
)
from autograder.cases.draw import Draw

__all__ = ["CHECKS", "cases_for"]

_CASES: dict[str, Callable[[Draw], list[TensorCase]]] = {
    "sum_to_shape.autograd": ewise.sum_cases,
    "ewise.autograd": ewise.cases,
    "scalar.autograd": scalar.cases,
    "operators.autograd": operators.cases,
    "activations.autograd": activations.cases,
    "views.autograd": views.cases,
    "reduce.autograd": reduce.cases,
    "logsumexp.autograd": reduce.log_cases,
    "matmul.autograd": matmul.cases,
    "topo_sort.autograd": graph.sort_cases,
    "backward.autograd": graph.backward_cases,
    "softmax_loss.autograd": softmax_loss.cases,
    "power.gradient": power.cases,
}

# Every exercise's named checks; the sentences stand in exercises.toml.
CHECKS: dict[str, tuple[str, ...]] = {
    "sum_to_shape.autograd": ewise.SUM_CHECKS,
    "ewise.autograd": ewise.CHECKS,
    "scalar.autograd": scalar.CHECKS,
    "operators.autograd": operators.CHECKS,
    "activations.autograd": activations.CHECKS,
    "views.autograd": views.CHECKS,
    "reduce.autograd": reduce.CHECKS,
    "logsumexp.autograd": reduce.LOG_CHECKS,
    "matmul.autograd": matmul.CHECKS,
    "topo_sort.autograd": graph.SORT_CHECKS,
    "backward.autograd": graph.BACKWARD_CHECKS,
    "softmax_loss.autograd": softmax_loss.CHECKS,
    "power.gradient": power.CHECKS,
}


def cases_for(exercise_id: str, seed: int | str) -> list[TensorCase]:
    """The cases of one exercise, the same for the same seed.

    Errors: KeyError for an exercise that has no cases.
    Example: `cases_for("views.autograd", 7)`
    """
    seen: dict[str, int] = {}
    named = []
    for case in _CASES[exercise_id](Draw(seed, exercise_id)):
        seen[case.check] = seen.get(case.check, 0) + 1
        named.append(replace(case, id=f"{case.check}-{seen[case.check]}"))
    return named
