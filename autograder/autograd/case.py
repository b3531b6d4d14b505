"""A case of the Needle layer: a small program of tensors, and what each of its results must be.

The child sees inputs and steps only. It answers with arrays of whatever shape the student's code gave; which shape and
dtype they must have, and how far off they may be, is known here alone.
"""

from __future__ import annotations

import json
import math
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from autograder.case import Outcome
from autograder.children import wire

Array = npt.NDArray[Any]
Step = tuple[str, tuple[Any, ...], dict[str, Any]]  # function, arguments, named arguments
DTYPES = ("<f8", "<f4", "<i8")
MOST_AXES = 16
SLACK_BYTES = 4096  # a result of the wrong shape is told about, as long as it is small


@dataclass(frozen=True)
class Var:
    """An argument that stands for a variable: the inputs come first, then the result of each step."""

    place: int


@dataclass(frozen=True)
class Result:
    """One array that must come back: the variable, its name for the student, the right values, and their bound.

    `mistakes` are other values with the sentence that explains them: named only if they are exactly what came back.
    """

    variable: int
    label: str
    values: Array
    bound: Array | float = 0.0
    mistakes: tuple[tuple[str, Array], ...] = ()


@dataclass(frozen=True)
class TensorCase:
    """One program. `functions` are those of the exercise that it runs: a stub in one of them makes it unfinished."""

    id: str
    check: str
    functions: tuple[str, ...]
    title: str
    inputs: tuple[Array, ...]
    steps: tuple[Step, ...]
    results: tuple[Result, ...]
    note: str = ""
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def function(self) -> str:
        """What the case is about, as reports tell it."""
        return self.title

    @property
    def allocation(self) -> int:
        """The elements of all inputs: the smallest failing case is shown first."""
        return sum(each.size for each in self.inputs) + len(self.steps)

    @property
    def room_bytes(self) -> int:
        """The most that an answer may hold besides its list of shapes."""
        return 2 * sum(result.values.nbytes for result in self.results) + SLACK_BYTES

    @property
    def answer_bytes(self) -> int:
        """The greatest length of an answer."""
        return max(self.room_bytes + 64 * (len(self.results) + 1) * MOST_AXES, wire.TEXT_BYTES)

    def request(self) -> bytes:
        """The bytes that ask a child for this case."""
        asked = {
            "inputs": [[each.dtype.newbyteorder("<").str, list(each.shape)] for each in self.inputs],
            "steps": [
                [name, list(map(_told, args)), {k: _told(a) for k, a in named.items()}]
                for name, args, named in self.steps
            ],
            "results": [result.variable for result in self.results],
            "room": self.room_bytes,
        }
        contents = b"".join(each.astype(each.dtype.newbyteorder("<")).tobytes() for each in self.inputs)
        return wire.request(asked, contents)

    def outcome(self, payload: bytes) -> Outcome:
        """What an answer holds.

        Errors: ValueError for what no honest child sends.
        """
        return Outcome("returned", value=tuple(_arrays(payload, len(self.results))))


def _told(value: Any) -> Any:
    if isinstance(value, Var):
        return {"v": value.place}
    if isinstance(value, list) and value and all(isinstance(each, Var) for each in value):
        return {"vs": [each.place for each in value]}
    return wire.encode(value)


def _arrays(payload: bytes, count: int) -> list[Array]:
    """The arrays of an answer, each of a plain dtype and as long as its shape says."""
    if len(payload) < 4:
        raise ValueError("too short")
    start = 4 + struct.unpack_from("<I", payload)[0]
    try:
        told = json.loads(payload[4:start])
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(told, list) or len(told) != count:
        raise ValueError("another number of results")
    arrays = []
    for entry in told:
        dtype, shape = entry if isinstance(entry, list) and len(entry) == 2 else ("", None)
        if dtype not in DTYPES or not isinstance(shape, list) or len(shape) > MOST_AXES:
            raise ValueError("no array")
        if not all(type(length) is int and 0 <= length <= len(payload) for length in shape):
            raise ValueError("no shape")
        size = math.prod(shape)
        if start + size * np.dtype(dtype).itemsize > len(payload):
            raise ValueError("too short")
        arrays.append(np.frombuffer(payload, dtype, size, start).reshape(shape))
        start += arrays[-1].nbytes
    if start != len(payload):
        raise ValueError("too long")
    return arrays
