"""A case: one call of one function, with every byte it may read and every value it must write.

The trusted side builds cases and judges their outcomes; the child only ever sees `call` and the bytes of `buffers`.
Nothing here imports student code, and nothing here is sent back by a child except `Outcome.buffers`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Float64 = npt.NDArray[np.float64]
Float32 = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Ref:
    """An argument that stands for a buffer of the case, by its index in `Case.buffers`."""

    buffer: int


@dataclass(frozen=True)
class Buffer:
    """One allocation: its name in the function's signature and its contents before the call (flat float32).

    `writable` buffers are outputs; every other buffer must come back unchanged, bit by bit.
    """

    name: str
    before: Float32
    writable: bool = False


@dataclass(frozen=True)
class Expected:
    """The right contents of one writable buffer after the call, whole: flat float64 `values`, one per element.

    `bound` is the largest |got - value| allowed per element: a scalar 0.0 for moves and exact arithmetic (then bits are
    compared, except that any NaN equals any NaN and -0.0 equals 0.0), else an array derived from the operation
    (gamma_n times the sum of magnitudes).
    """

    values: Float64
    bound: Float64 | float = 0.0


@dataclass(frozen=True)
class Case:
    """One call. `id` is stable for a seed; `check` is the named sub-check of the exercise that the case belongs to."""

    id: str
    check: str
    function: str
    args: tuple[Any, ...]  # Ref | int | float | tuple[int, ...], in the contract's (Python) order
    buffers: tuple[Buffer, ...]
    expected: dict[int, Expected]  # by buffer index
    note: str = ""  # one phrase for the student: "a transposed 3x5 view, offset 7"
    facts: dict[str, Any] = field(default_factory=dict)  # shape, strides, offset, ... for diagnosis and pictures


@dataclass(frozen=True)
class ViewCase:
    """One chain of view operations on a layout, judged by the addresses it reaches (exercises in layout.py)."""

    id: str
    check: str
    start: tuple[tuple[int, ...], tuple[int, ...], int]  # shape, strides, offset of the first layout
    allocation: int  # elements of the buffer below the first layout
    steps: tuple[tuple[str, Any], ...]  # ("permute", (1, 0)), ("getitem", (slice(..), 3)), ...
    expected: tuple[tuple[int, ...], tuple[int, ...], int] | str  # layout, or the name of the error class
    note: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


State = Literal[
    "passed",
    "failed",
    "unfinished",
    "does not compile",
    "crashed",
    "time-out",
    "out of memory",
    "not checked",
    "infrastructure error",
]


@dataclass(frozen=True)
class Outcome:
    """What came back from a child for one case: bytes, or the way it ended. Never a verdict."""

    kind: Literal["returned", "raised", "crashed", "time-out", "out of memory", "missing"]
    buffers: tuple[Float32, ...] = ()  # after the call, whole, in the order of Case.buffers
    bands_intact: tuple[bool, ...] = ()  # guard bands before and after each buffer, judged by the parent
    value: Any = None  # views: (shape, strides, offset) as plain ints
    detail: str = ""  # "SIGSEGV", exception class and message (untrusted text), ...
    record: Any = None  # of the simulator's checker, where there is one: what it saw (untrusted), or None


@dataclass(frozen=True)
class Finding:
    """The judgement of one case: right or wrong, where, and why if a model of the mistake predicts this very output."""

    case_id: str
    check: str
    state: State
    first_wrong: tuple[int, ...] | None = None  # logical index
    got: float | None = None
    want: float | None = None
    message: str = ""  # one sentence: what is wrong
    diagnosis: str = ""  # one sentence: the likely mistake, empty when no model fits
    picture: str = ""  # text picture of buffer and layout, optional
