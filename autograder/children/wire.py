"""How the grader and a child talk: frames of a known length, JSON for what is asked, raw bytes for memory.

Standard library only, because both children run without site packages. No pickle, no text that decides anything.
"""

from __future__ import annotations

import json
import os
import struct
from typing import Any

REQUEST = struct.Struct("<II")  # bytes of JSON, bytes of buffers
ANSWER = struct.Struct("<4sII")  # magic, kind, bytes that follow
MAGIC = b"NDL1"
READY, RETURNED, RAISED, NOT_LOADED = 1, 2, 3, 4
TEXT_BYTES = 4096  # the longest message a child may send
RECORD_BYTES = 32_768  # the longest record of the simulator's checker, behind an answer
RECORD = struct.Struct("<I")  # bytes of the record: the last word of an answer that has one
BAND_BYTES = 4096  # of guard before and after every allocation
BAND_WORD = struct.pack("<I", 0x7FE5CAFE)  # a NaN that no arithmetic makes and that is not the poison of outputs
BAND = BAND_WORD * (BAND_BYTES // 4)


def encode(value: Any) -> Any:
    """A view operation's argument as JSON: tuples, slices and Ellipsis keep their kind."""
    if isinstance(value, tuple):
        return {"tuple": [encode(each) for each in value]}
    if isinstance(value, list):
        return [encode(each) for each in value]
    if isinstance(value, slice):
        return {"slice": [encode(value.start), encode(value.stop), encode(value.step)]}
    if value is Ellipsis:
        return {"ellipsis": True}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"cannot be sent to a child: {value!r}")


def decode(value: Any) -> Any:
    """The inverse of `encode`."""
    if isinstance(value, list):
        return [decode(each) for each in value]
    if isinstance(value, dict):
        if "tuple" in value:
            return tuple(decode(each) for each in value["tuple"])
        if "slice" in value:
            return slice(*(decode(each) for each in value["slice"]))
        return Ellipsis
    return value


def request(what: Any, buffers: bytes = b"") -> bytes:
    """One request: a header, JSON, and the contents of the buffers one after another."""
    text = json.dumps(what, separators=(",", ":")).encode()
    return REQUEST.pack(len(text), len(buffers)) + text + buffers


def read_exactly(descriptor: int, size: int) -> bytes:
    """The next `size` bytes of a pipe.

    Errors: EOFError when the other side is gone.
    """
    parts = []
    while size > 0:
        part = os.read(descriptor, min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def read_request(descriptor: int) -> tuple[Any, bytes]:
    """The child's side of `request`."""
    text_bytes, buffer_bytes = REQUEST.unpack(read_exactly(descriptor, REQUEST.size))
    return json.loads(read_exactly(descriptor, text_bytes)), read_exactly(descriptor, buffer_bytes)


def write_answer(descriptor: int, kind: int, payload: bytes = b"") -> None:
    """One answer of a child."""
    data = memoryview(ANSWER.pack(MAGIC, kind, len(payload)) + payload)
    while data:
        data = data[os.write(descriptor, data) :]


def describe(error: BaseException) -> bytes:
    """An exception as text: the names of its classes, most special first, a line end, its message."""
    names = ",".join(each.__name__ for each in type(error).__mro__[:-1])
    return f"{names}\n{error}".encode("utf-8", errors="replace")[:TEXT_BYTES]
