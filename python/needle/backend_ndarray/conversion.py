"""Numbers on their way into an array: float32 is the dtype, and nothing is lost silently.

Other real numbers are rounded. Refused are: a finite value that would become inf, an integer that would change, complex
numbers, text and objects.
"""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np
import numpy.typing as npt

from . import rules

_EXACT_INTEGER = 2**24  # float32 holds every integer up to here


def check_dtype(op: str, dtype: Any) -> None:
    """Refuse every dtype but float32; None means float32."""
    if dtype is not None and np.dtype(dtype) != np.float32:
        raise TypeError(f"{op}: arrays are float32, not {np.dtype(dtype)}; leave dtype out")


def as_float32(op: str, values: Any) -> npt.NDArray[np.float32]:
    """Return values as a row-major float32 array, which may share memory with them.

    Errors: TypeError for values that are no real numbers, ValueError for those that float32 cannot stand for.
    """
    given = np.asarray(values)
    if given.dtype.kind not in "biuf":
        raise TypeError(f"{op}: {given.dtype} values cannot become float32; real numbers can")
    with np.errstate(over="ignore"):
        result = np.asarray(given, dtype=np.float32, order="C")
    if given.dtype.kind == "f":
        lost = np.isinf(result) & np.isfinite(given)
        problem = "is too large for float32"
    else:
        lost = ~_is_exact(given)
        problem = "is an integer that float32 cannot hold exactly; pass it as a float to round it"
    if lost.any():
        raise ValueError(f"{op}: {given[lost].flat[0]} {problem}")
    return result


def _is_exact(integers: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Tell which integers are float32 values: those whose odd part has at most 24 bits."""
    wrapped = integers.astype(np.uint64)
    magnitude = np.where(integers < 0, ~wrapped + np.uint64(1), wrapped)
    power_of_two = np.maximum(magnitude & (~magnitude + np.uint64(1)), np.uint64(1))  # the lowest bit that is set
    return np.asarray(magnitude // power_of_two <= _EXACT_INTEGER)


def is_scalar(value: Any) -> bool:
    """Tell whether a value is one number: Python's, NumPy's, or a NumPy array without axes."""
    return isinstance(value, numbers.Number | np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0)


def as_scalar(op: str, value: Any) -> float:
    """Return one number as a Python float.

    Errors: TypeError for what is no real number, ValueError for a finite number that float32 cannot hold.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    rules.check_scalar(op, "value", value)
    try:
        number = float(value)
    except OverflowError:  # an int beyond float64
        number = math.inf
    with np.errstate(over="ignore"):
        if np.isinf(np.float32(number)) and value not in (math.inf, -math.inf):
            raise ValueError(f"{op}: {value} is too large for float32")
    return number
