"""The cases of every exercise: a fixed set that every run contains, then drawn ones.

Example: `cases_for("compact.cpu", seed=7)`
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from autograder.case import Case, ViewCase
from autograder.cases import compact, ewise, matmul, power, reduce, scalar, setitem, views
from autograder.cases.draw import Draw

__all__ = ["BEYOND_THE_COURSE", "CHECKS", "MAX_RANK", "cases_for"]

MAX_RANK = {"cpu": 32, "cuda": 8}
_KERNELS: dict[str, Callable[[Draw, str], list[Case]]] = {
    "compact": compact.cases,
    "setitem": setitem.cases,
    "ewise": ewise.cases,
    "scalar": scalar.cases,
    "reduce": reduce.cases,
    "matmul": matmul.cases,
    "matmul_tiled": matmul.tiled_cases,
}
_KERNEL_CHECKS = {
    "compact": compact.CHECKS,
    "setitem": setitem.CHECKS,
    "ewise": ewise.CHECKS,
    "scalar": scalar.CHECKS,
    "reduce": reduce.CHECKS,
    "matmul": matmul.CHECKS,
    "matmul_tiled": matmul.TILED_CHECKS,
}

# Every exercise's named checks, each with the sentence of the assignment that it tests.
CHECKS: dict[str, tuple[tuple[str, str], ...]] = {
    **{f"{name}.views": checks for name, checks in views.CHECKS.items()},
    **{f"{name}.cpu": checks for name, checks in _KERNEL_CHECKS.items()},
    **{f"{name}.cuda": checks for name, checks in _KERNEL_CHECKS.items() if name != "matmul_tiled"},
}

# Rules that our assignment states and the public course never did: there these checks are advice and score nothing.
BEYOND_THE_COURSE: dict[str, tuple[str, ...]] = {
    "compact": ("reversed",),
    "ewise": ("maximum_nan",),
    "scalar": ("maximum_nan",),
    "reduce": ("nan", "sum_of_nothing"),
    "matmul": ("inner_zero",),
    "reshape": ("minus_one", "ranks"),
    "permute": ("negative_axes", "axes_refused"),
    "broadcast_to": ("new_axes",),
    "getitem": ("negative", "clamped", "fewer"),
}

AnyCase = TypeVar("AnyCase", Case, ViewCase)


def cases_for(exercise_id: str, seed: int | str) -> Sequence[Case | ViewCase]:
    """The cases of one exercise, the same to the byte for the same seed.

    Errors: KeyError for an exercise that has no cases.
    Example: `cases_for("permute.views", 7)`
    """
    if exercise_id in power.CHECKS:
        return _named(power.cases_for(exercise_id, seed))
    if exercise_id not in CHECKS:
        raise KeyError(f"no cases for exercise {exercise_id!r}; known: {', '.join(CHECKS)}")
    name, device = exercise_id.split(".")
    draw = Draw(seed, name)
    if device == "views":
        return _named(views.cases(draw, name))
    found = _KERNELS[name](draw, device)
    return _named([case for case in found if len(case.facts.get("shape", ())) <= MAX_RANK[device]])


def _named(found: list[AnyCase]) -> list[AnyCase]:
    """The cases with their ids: the check and a number within it."""
    seen: dict[str, int] = {}
    named = []
    for case in found:
        seen[case.check] = seen.get(case.check, 0) + 1
        named.append(replace(case, id=f"{case.check}-{seen[case.check]}"))
    return named
