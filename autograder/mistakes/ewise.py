"""Models of mistakes in the element-wise functions: another operator, swapped operands, a lost NaN, a missing tail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.case import Case
from autograder.cases import bounds
from autograder.mistakes.model import Mistake, Prediction, predicted, unwritten

Operator = Callable[[Any, Any], Any]
Special = tuple[tuple[str, str, Operator], ...]  # name, sentence, what is computed instead

_ASKED = {
    "mul": "a * b",
    "div": "a / b",
    "maximum": "the larger of a and b",
    "eq": "a == b",
    "ge": "a >= b",
    "power": "a to the power of b",
    "log": "log(a)",
    "exp": "exp(a)",
    "tanh": "tanh(a)",
}

# What a kernel may compute instead, in the words of the student.
_BINARY: dict[str, Operator] = {
    "a + b": lambda a, b: a + b,
    "a - b": lambda a, b: a - b,
    "b - a": lambda a, b: b - a,
    "a * b": lambda a, b: a * b,
    "a / b": lambda a, b: a / b,
    "b / a": lambda a, b: b / a,
    "the larger of a and b": np.maximum,
    "the smaller of a and b": np.minimum,
    "a == b": lambda a, b: a == b,
    "a != b": lambda a, b: a != b,
    "a > b": lambda a, b: a > b,
    "a >= b": lambda a, b: a >= b,
    "b > a": lambda a, b: b > a,
    "b >= a": lambda a, b: b >= a,
    "a to the power of b": np.power,
    "b to the power of a": lambda a, b: np.power(b, a),
    "the larger of |a| and |b|": lambda a, b: np.maximum(np.abs(a), np.abs(b)),
    "a // b, without the fraction,": lambda a, b: np.trunc(a / b),
    "a": lambda a, b: a + 0 * np.zeros_like(a),
    "b": lambda a, b: b + np.zeros_like(a),
}
_UNARY: dict[str, Callable[[Any], Any]] = {
    "log(a)": np.log,
    "log2(a)": np.log2,
    "log10(a)": np.log10,
    "log(1 + a)": np.log1p,
    "exp(a)": np.exp,
    "exp(a) - 1": np.expm1,
    "exp(-a)": lambda a: np.exp(-a),
    "2 to the power of a": np.exp2,
    "tanh(a)": np.tanh,
    "tan(a)": np.tan,
    "sinh(a)": np.sinh,
    "atanh(a)": np.arctanh,
    "the logistic function of a": lambda a: 1 / (1 + np.exp(-a)),
    "a": lambda a: a * 1.0,
}


def _nan_rule(keep_left: bool, keep_right: bool) -> Operator:
    """A maximum that keeps NaN only from one side, or from none."""

    def maximum(a: Any, b: Any) -> Any:
        left = np.where(np.isnan(b), a, np.fmax(a, b)) if keep_left else np.fmax(a, b)
        return np.where(np.isnan(b), b, left) if keep_right else np.where(np.isnan(a) & keep_left, a, left)

    return maximum


_LOST = "NaN is lost where {side}: what does a comparison with NaN give?"
_SPECIAL: dict[str, Special] = {
    "maximum": (
        ("nan-lost-on-the-right", _LOST.format(side="`b[i]` is NaN"), _nan_rule(True, False)),
        ("nan-lost-on-the-left", _LOST.format(side="`a[i]` is NaN"), _nan_rule(False, True)),
        ("nan-lost", _LOST.format(side="one of the two is NaN"), _nan_rule(False, False)),
    ),
    "eq": (
        (
            "eq-by-tolerance",
            "Numbers that differ a little count as equal: `==` asks for the same number.",
            lambda a, b: (np.abs(a - b) < 1e-5) | (a == b),
        ),
        (
            "eq-by-distance",
            "Equality looks decided by |a - b|: what is the difference of two infinities?",
            lambda a, b: np.abs(a - b) < 1e-5,
        ),
        (
            "eq-by-subtraction",
            "Equality looks decided by a - b: what is the difference of two infinities?",
            lambda a, b: a - b == 0,
        ),
        (
            "eq-not-unequal",
            "NaN counts as equal: NaN is neither smaller nor larger than anything.",
            lambda a, b: ~((a < b) | (a > b)),
        ),
        (
            "eq-by-bits",
            "Equality looks decided by bits: 0.0 equals -0.0, and NaN equals nothing, not even itself.",
            lambda a, b: a.astype(np.float32).view(np.uint32) == _bits_like(b, a),
        ),
    ),
    "ge": (
        (
            "ge-not-less",
            'Where one side is NaN the answer is 1: "not less" is not "greater or equal".',
            lambda a, b: ~(a < b),
        ),
    ),
}


def _bits_like(b: Any, a: Any) -> Any:
    return np.broadcast_to(np.asarray(b, dtype=np.float32), a.shape).copy().view(np.uint32)


def operands(case: Case) -> tuple[Any, Any]:
    """`a`, and `b` as an array, a number, or None."""
    a = case.buffers[0].before.astype(np.float64)
    if case.function.startswith("scalar_"):
        return a, np.float64(case.args[1])
    return a, case.buffers[1].before.astype(np.float64) if len(case.buffers) == 3 else None


def computes(operator: Operator) -> Callable[[Case], Prediction | None]:
    def predict(case: Case) -> Prediction | None:
        a, b = operands(case)
        with np.errstate(all="ignore"):
            values = np.asarray(operator(a, b)).astype(np.float64)
        return predicted(case, values, bounds.of_ulps(values, bounds.ULPS_POWER))

    return predict


def _by_exponentials(case: Case) -> Prediction | None:
    """The textbook tanh in float32: digits are lost near 0, and from a = 44.4 on it is infinity by infinity."""
    a, _ = operands(case)
    values = np.where(2 * a > np.log(np.finfo(np.float32).max), np.nan, np.tanh(a))
    return predicted(case, values, np.full(a.shape, 16 * bounds.U))


def _of_one(operator: Callable[[Any], Any]) -> Operator:
    return lambda a, b: operator(a)


def mistakes_of(function: str, special: Special = (), spoken: Callable[[str], str] = str) -> tuple[Mistake, ...]:
    """The models for one function; `spoken` turns its operands into the words of its signature."""
    name = function.split("_")[1]
    found = [Mistake(n, spoken(words), computes(op)) for n, words, op in (*_SPECIAL.get(name, ()), *special)]
    if name == "tanh":
        words = "It looks computed as (exp(2a) - 1) / (exp(2a) + 1): what becomes of that near 0, and for large a?"
        found.append(Mistake("tanh-by-exponentials", words, _by_exponentials))
    instead = {words: _of_one(op) for words, op in _UNARY.items()} if name in ("log", "exp", "tanh") else _BINARY
    for words, operator in instead.items():
        if words != _ASKED[name]:
            sentence = f"It computes {spoken(words)} where {spoken(_ASKED[name])} is asked for."
            found.append(Mistake(f"computes {words}", sentence, computes(operator)))
    return (*unwritten()[:1], *found, *unwritten()[1:])
