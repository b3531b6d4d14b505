"""How a case of the Needle layer is written down: named inputs, steps, and answers with their bounds.

Bounds. `u` is the unit roundoff of the answer's dtype. An answer comes with the sum of the magnitudes of the terms that
its formula adds up; whatever order and grouping a right rule takes, each of its k roundings changes the result by at
most u times that sum, so together gamma_k times it (Higham, section 3.1). k is taken as 64, plus the terms of a sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.autograd.case import Array, Result, Step, TensorCase, Var

ROUNDINGS = 64  # more than any rule here takes one after the other, library functions of 4 units included


@dataclass(frozen=True)
class V:
    """A variable by its name."""

    name: str


@dataclass(frozen=True)
class Answer:
    """Right values, the magnitudes of what they are made of (their own where nothing cancels), and likely mistakes."""

    values: Any
    magnitude: Any = None
    mistakes: Sequence[tuple[str, Any]] = ()
    terms: int = 0

    def result(self, variable: int, label: str, dtype: Any) -> Result:
        """The answer for one variable of a case."""
        values = np.asarray(self.values, dtype=dtype)
        bound: Any = 0.0
        if values.dtype.kind == "f":
            size = np.abs(np.asarray(values if self.magnitude is None else self.magnitude, dtype=np.float64))
            steps = (ROUNDINGS + self.terms) * float(np.finfo(dtype).eps) / 2
            held = np.where(np.isfinite(size), size, 0.0)
            bound = np.broadcast_to(steps / (1 - steps) * held + float(np.finfo(dtype).tiny), values.shape)
        wrong = tuple((sentence, np.asarray(each, dtype=np.float64)) for sentence, each in self.mistakes)
        return Result(variable, label, values, bound, wrong)


@dataclass
class Question:
    """A program under construction.

    Example: `Question("-a", a=a).then("y", "negate", V("a")).value("negate", ["Negate.compute"], -a)`
    """

    title: str
    inputs: dict[str, Array]
    steps: list[tuple[str, str, tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)

    def __init__(self, title: str, **inputs: Array) -> None:
        self.title, self.inputs, self.steps = title, inputs, []

    def then(self, name: str, function: str, *arguments: Any, **named: Any) -> Question:
        """One more step, whose result is the variable `name`."""
        self.steps.append((name, function, arguments, named))
        return self

    def value(self, check: str, functions: Sequence[str], answer: Any, dtype: Any = np.float64) -> TensorCase:
        """The case that asks for the last variable."""
        return self._case(check, functions, [(self.steps[-1][0], "the result", answer)], dtype)

    def gradient(
        self, check: str, functions: Sequence[str], seed: Array, dtype: Any = np.float64, **answers: Any
    ) -> TensorCase:
        """The case that asks for gradients of the last variable by inputs, given `seed` as its own gradient."""
        asked = Question(self.title, **self.inputs, seed=seed)
        asked.steps = list(self.steps)
        last, wanted = asked.steps[-1][0], []
        for name, answer in answers.items():
            asked.then(f"by {name}", "gradient", V(last), V("seed"), V(name))
            wanted.append((f"by {name}", f"the gradient by {name}" if len(answers) > 1 else "the gradient", answer))
        return asked._case(check, functions, wanted, dtype)

    def results(self, check: str, functions: Sequence[str], dtype: Any = np.float64, **answers: Any) -> TensorCase:
        """The case that asks for several variables by name."""
        return self._case(
            check, functions, [(name, name.replace("_", " "), each) for name, each in answers.items()], dtype
        )

    def _case(
        self, check: str, functions: Sequence[str], wanted: Sequence[tuple[str, str, Any]], dtype: Any
    ) -> TensorCase:
        places = {name: k for k, name in enumerate([*self.inputs, *(step[0] for step in self.steps)])}

        def told(value: Any) -> Any:
            if isinstance(value, list):
                return [told(each) for each in value]
            return Var(places[value.name]) if isinstance(value, V) else value

        steps: list[Step] = [
            (function, tuple(told(each) for each in arguments), {key: told(each) for key, each in named.items()})
            for _, function, arguments, named in self.steps
        ]
        results = []
        for name, label, answer in wanted:
            whole = answer if isinstance(answer, Answer) else Answer(answer)
            results.append(whole.result(places[name], label, dtype))
        inputs = tuple(np.ascontiguousarray(each) for each in self.inputs.values())
        # 0-d arrays must stay so: ascontiguousarray gives them an axis.
        inputs = tuple(each.reshape(given.shape) for each, given in zip(inputs, self.inputs.values(), strict=True))
        return TensorCase("", check, tuple(functions), self.title, inputs, tuple(steps), tuple(results))


def shown(shape: Sequence[int]) -> str:
    """A shape as Python writes it."""
    return str(tuple(shape))
