"""Is a program's outcome right? Shape, dtype and every element, against the trusted side's own values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from autograder.autograd.case import Array, Result, TensorCase
from autograder.case import Finding, Outcome, State

_ENDED: dict[str, tuple[State, str]] = {
    "crashed": ("crashed", "the program crashed"),
    "time-out": ("time-out", "the program did not end in time"),
    "out of memory": ("out of memory", "the program ran out of memory"),
    "missing": ("failed", "no result came back"),
}


def judge(case: TensorCase, outcome: Outcome, open_functions: frozenset[str]) -> Finding:
    """The verdict on one case. Unfinished needs both: a stub in the source, and the exception from the child.

    Example: `judge(case, Outcome("missing"), frozenset()).state == "failed"`
    """
    if outcome.kind in _ENDED:
        state, words = _ENDED[outcome.kind]
        return Finding(case.id, case.check, state, message=words + (f": {outcome.detail}" if outcome.detail else ""))
    if outcome.kind == "raised":
        classes = outcome.value or ()
        if "NotImplementedError" in classes and open_functions & set(case.functions):
            return Finding(case.id, case.check, "unfinished", message=outcome.detail.partition(": ")[2])
        return Finding(case.id, case.check, "failed", message=f"it raised {outcome.detail}")
    arrays = outcome.value if isinstance(outcome.value, tuple) else ()
    if len(arrays) != len(case.results):
        return Finding(case.id, case.check, "failed", message="another number of results came back")
    wrong = next(_findings(case, arrays), None)
    return wrong or Finding(case.id, case.check, "passed")


def _findings(case: TensorCase, arrays: tuple[Array, ...]) -> Iterator[Finding]:
    for result, got in zip(case.results, arrays, strict=True):
        finding = _compared(case, result, got)
        if finding:
            yield replace(finding, diagnosis=explained(result, got))


def _compared(case: TensorCase, result: Result, got: Array) -> Finding | None:
    want = result.values
    if got.shape != want.shape:
        return _failed(case, f"{result.label} has shape {got.shape}, should be {want.shape}")
    if got.dtype != want.dtype:
        return _failed(case, f"{result.label} is {got.dtype}, should be {want.dtype}")
    wrong = wrong_elements(got, want, result.bound)
    if not wrong.any():
        return None
    index = tuple(int(k) for k in np.argwhere(wrong)[0])
    place = f"[{', '.join(map(str, index))}]" if index else ""
    count = f" ({int(wrong.sum())} of {wrong.size} elements are wrong)" if wrong.size > 1 else ""
    found = _failed(case, f"{result.label}{place} is {got[index]:.9g}, should be {want[index]:.9g}{count}")
    return replace(found, first_wrong=index, got=float(got[index]), want=float(want[index]))


def wrong_elements(got: Array, want: Array, bound: Array | float) -> npt.NDArray[np.bool_]:
    """Which elements are further away than the bound; NaN equals only NaN, and an infinity only itself."""
    with np.errstate(all="ignore"):
        near = np.abs(got.astype(np.float64) - want) <= bound
        equal = (got == want) | (near & np.isfinite(want)) | (np.isnan(got) & np.isnan(want))
    return np.asarray(~equal, dtype=np.bool_)


def explained(result: Result, got: Array) -> str:
    """The sentence of the first modelled mistake that gives exactly what came back."""
    for sentence, values in result.mistakes:
        scale = float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))
        same_shape = got.shape == values.shape
        if same_shape and not wrong_elements(got, values, np.max(result.bound, initial=0.0) + 1e-12 * scale).any():
            return sentence
    return ""


def _failed(case: TensorCase, message: str) -> Finding:
    return Finding(case.id, case.check, "failed", message=message)
