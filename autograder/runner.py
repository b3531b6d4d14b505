"""Send cases to a child and read what comes back: outcomes, never verdicts.

The parent makes every input, knows how many bytes an answer has, and looks at the guard bands itself. A child that
crashes names its case by dying on it, and a fresh one takes the remaining cases; the first time-out ends the exercise.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from autograder import sandbox
from autograder.autograd.case import TensorCase
from autograder.case import Case, Outcome, Ref, State, ViewCase
from autograder.children import wire

Question = TypeVar("Question", bound=Case | ViewCase | TensorCase)
MOST_CRASHES = 2  # of one check: it cannot pass any more, and every crash costs a new process
CHILDREN = Path(__file__).resolve().parent / "children"
MODULE_NAMES = {"cpu": "ndarray_backend_cpu", "cuda": "ndarray_backend_cuda_sim"}


@dataclass(frozen=True)
class Program:
    """What a child runs: the script, its arguments after the two descriptors, and what it may read."""

    script: str
    arguments: tuple[str, ...]
    readable: tuple[Path, ...]
    guarded: bool = False
    limits: sandbox.Limits = field(default_factory=sandbox.Limits)
    walls: sandbox.Walls = sandbox.NO_WALLS
    read_record: Callable[[bytes], Any] | None = None  # of the simulator's checker, behind every answer
    writable: tuple[Path, ...] = ()
    devices: tuple[Path, ...] = ()
    fresh_after_error: bool = False  # a GPU's error stays for as long as the process
    environment: tuple[tuple[str, str], ...] = ()
    when_late: Callable[[], str] = lambda: ""  # what else there is to say about a time-out


class NotLoaded(Exception):
    """The student's module does not load; carries the state that this is, and what was told about it."""

    def __init__(self, state: State, text: str) -> None:
        super().__init__(text)
        self.state, self.text = state, text


class _Garbage(Exception):
    """An answer that no honest child sends."""


def kernel_program(module: Path, backend: str, guarded: bool, limits: sandbox.Limits | None = None) -> Program:
    """The kernel child for one compiled module."""
    arguments = (str(module), MODULE_NAMES[backend])
    return Program("kernel_child.py", arguments, (CHILDREN, module), guarded, limits or sandbox.Limits())


def simulated_program(
    module: Path, simulator: Path, read_record: Callable[[bytes], Any], limits: sandbox.Limits
) -> Program:
    """The kernel child for a module of CUDA kernels on the simulator, whose checker tells what it saw."""
    arguments = (str(module), MODULE_NAMES["cuda"], str(simulator))
    readable = (CHILDREN, module, simulator)
    return Program("kernel_child.py", arguments, readable, False, limits, read_record=read_record)


def views_program(folder: Path, limits: sandbox.Limits | None = None) -> Program:
    """The views child for a folder with a tiny `needle` package in it."""
    return Program("views_child.py", (str(folder),), (CHILDREN, folder), False, limits or sandbox.Limits())


def outcomes(program: Program, cases: Sequence[Question]) -> Iterator[tuple[Question, Outcome]]:
    """The outcome of every case, in order; after a time-out, or two crashes of one check, the rest of it is `missing`.

    Errors: NotLoaded when the module cannot be loaded, OSError when no child can be started.
    """
    remaining: list[Question] = list(cases)
    crashes: Counter[str] = Counter()
    while remaining:
        with _start(program) as child:
            while remaining:
                case = remaining.pop(0)
                if crashes[case.check] >= MOST_CRASHES:
                    yield case, Outcome("missing", detail="not run: this check crashed before")
                    continue
                outcome = _exchange(child, program, case)
                yield case, outcome
                if outcome.kind == "time-out":
                    for case in remaining:
                        yield case, Outcome("missing", detail="not run: the exercise ended with a time-out")
                    return
                failed = outcome.kind == "raised" and "NotImplementedError" not in (outcome.value or ())
                if outcome.kind not in ("returned", "raised") or (failed and program.fresh_after_error):
                    crashes[case.check] += 1
                    break


def _start(program: Program) -> sandbox.Child:
    script = str(CHILDREN / program.script)
    # Behind walls there is no virtual environment, and none is needed.
    argv = [os.path.realpath(sys.executable), "-I", "-S", "-B", script, "{requests}", "{results}", *program.arguments]
    # Memory that nobody wrote holds the same bytes each time, and never an old result.
    environment = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "MALLOC_PERTURB_": "165", **dict(program.environment)}
    paths = (CHILDREN, program.readable, program.writable)
    box = sandbox.Box(*paths, environment, devices=program.devices, walls=program.walls)
    child = sandbox.Child(argv, program.limits, box)
    try:
        kind, size = _header(child, {wire.READY: 0, wire.NOT_LOADED: wire.TEXT_BYTES})
        text = child.receive(size)
    except (sandbox.ChildEnded, sandbox.ChildLate, _Garbage) as error:
        ending = child.close()
        if isinstance(error, sandbox.ChildLate):
            raise NotLoaded("time-out", "loading does not end in time") from None
        if ending.kind == "unconfined":
            raise OSError(ending.detail) from None
        if ending.kind == "memory":
            raise NotLoaded("out of memory", "loading needs more memory than the limit") from None
        how = "answered out of turn" if isinstance(error, _Garbage) else f"ended while loading ({ending.detail})"
        raise NotLoaded("crashed", f"the process {how}") from None
    if kind == wire.NOT_LOADED:
        child.close()
        names, _, message = text.decode("utf-8", errors="replace").partition("\n")
        does_not_compile = "SyntaxError" in names.split(",") or program.script == "kernel_child.py"
        raise NotLoaded("does not compile" if does_not_compile else "failed", f"{names.split(',')[0]}: {message}")
    return child


def _header(child: sandbox.Child, allowed: dict[int, int]) -> tuple[int, int]:
    """The kind and the length of the next answer, where `allowed` names the greatest length of each kind."""
    magic, kind, size = wire.ANSWER.unpack(child.receive(wire.ANSWER.size))
    if magic != wire.MAGIC or kind not in allowed or size > allowed[kind]:
        raise _Garbage
    return kind, size


def _exchange(child: sandbox.Child, program: Program, case: Case | ViewCase | TensorCase) -> Outcome:
    """One case there and back."""
    child.begin_exchange()
    expected = _answer_bytes(case, program.guarded) if isinstance(case, Case) else wire.TEXT_BYTES
    if isinstance(case, TensorCase):
        expected = case.answer_bytes
    try:
        child.send(request_of(case))
        more = wire.RECORD_BYTES + wire.RECORD.size if program.read_record else 0
        kind, size = _header(child, {wire.RETURNED: expected + more, wire.RAISED: wire.TEXT_BYTES + more})
        payload, record = _split(child.receive(size), program)
        if kind == wire.RAISED:
            return replace(_raised(payload), record=record)
        if isinstance(case, Case) and len(payload) != expected:
            raise _Garbage
        if isinstance(case, Case):
            return replace(_memory(case, payload, program.guarded), record=record)
        return _tensors(case, payload) if isinstance(case, TensorCase) else _layout(payload)
    except sandbox.ChildLate:
        child.close()
        return Outcome("time-out", detail=f"no answer within {program.limits.cpu_s:g} s{program.when_late()}")
    except _Garbage:
        child.close()
        return Outcome("missing", detail="the process answered out of turn")
    except sandbox.ChildEnded:
        return _ended(child.close())


def _split(payload: bytes, program: Program) -> tuple[bytes, Any]:
    """An answer and the record behind it, where the program has one."""
    if program.read_record is None:
        return payload, None
    if len(payload) < wire.RECORD.size:
        raise _Garbage
    (size,) = wire.RECORD.unpack(payload[-wire.RECORD.size :])
    end = len(payload) - wire.RECORD.size - size
    if end < 0:
        raise _Garbage
    return payload[:end], program.read_record(payload[end : end + size])


def _ended(ending: sandbox.Ending) -> Outcome:
    if ending.kind == "memory":
        return Outcome("out of memory", detail="more than the limit")
    if ending.kind == "signal":
        return Outcome("time-out" if ending.detail == "SIGXCPU" else "crashed", detail=ending.detail)
    return Outcome("crashed", detail=f"the process ended by itself ({ending.detail}) before it answered")


def _raised(payload: bytes) -> Outcome:
    names, _, message = payload.decode("utf-8", errors="replace").partition("\n")
    classes = names.split(",")
    kind = "out of memory" if "MemoryError" in classes else "raised"
    return Outcome(kind, value=tuple(classes), detail=f"{classes[0]}: {message}")  # type: ignore[arg-type]


def request_of(case: Case | ViewCase | TensorCase) -> bytes:
    """The bytes that ask a child for one case: the call and the contents of every buffer, nothing else."""
    if isinstance(case, TensorCase):
        return case.request()
    if isinstance(case, ViewCase):
        shape, strides, offset = case.start
        start = [[int(n) for n in shape], [int(s) for s in strides], int(offset)]
        steps = [[name, wire.encode(argument)] for name, argument in case.steps]
        return wire.request({"start": start, "allocation": int(case.allocation), "steps": steps})
    asked = {
        "function": case.function,
        "arguments": [_argument(each) for each in case.args],
        "sizes": [int(buffer.before.size) for buffer in case.buffers],
    }
    contents = [np.ascontiguousarray(buffer.before, dtype=np.float32).tobytes() for buffer in case.buffers]
    return wire.request(asked, b"".join(contents))


def _argument(value: Any) -> Any:
    if isinstance(value, Ref):
        return {"buffer": value.buffer}
    if isinstance(value, (tuple, list)):
        return [int(each) for each in value]
    return float(value) if isinstance(value, (float, np.floating)) else int(value)


def _answer_bytes(case: Case, guarded: bool) -> int:
    return sum(4 * buffer.before.size + 2 * wire.BAND_BYTES for buffer in case.buffers if buffer.before.size)


def _memory(case: Case, payload: bytes, guarded: bool) -> Outcome:
    """Buffers and bands out of the answer: the bands are compared here, on the trusted side."""
    buffers, intact, start = [], [], 0
    for buffer in case.buffers:
        size = buffer.before.size
        if size == 0:
            buffers.append(np.empty(0, np.float32))
            intact.append(True)
            continue
        inside, end = start + wire.BAND_BYTES, start + wire.BAND_BYTES + 4 * size
        buffers.append(np.frombuffer(payload, np.float32, size, inside))
        bands = payload[start:inside] == wire.BAND and payload[end : end + wire.BAND_BYTES] == wire.BAND
        intact.append(bands or not guarded)
        start = end + wire.BAND_BYTES
    return Outcome("returned", tuple(buffers), tuple(intact))


def _layout(payload: bytes) -> Outcome:
    """Shape, strides and offset out of the answer: plain numbers of a sane length, or garbage."""
    try:
        shape, strides, offset = json.loads(payload)
        numbers = [*shape, *strides, offset]
    except (ValueError, TypeError, RecursionError):
        raise _Garbage from None
    lists = isinstance(shape, list) and isinstance(strides, list) and len(shape) <= 64 and len(strides) <= 64
    if not lists or any(type(each) is not int or abs(each) >= 1 << 62 for each in numbers):
        raise _Garbage
    return Outcome("returned", value=(tuple(shape), tuple(strides), offset))


def _tensors(case: TensorCase, payload: bytes) -> Outcome:
    try:
        return case.outcome(payload)
    except ValueError:
        raise _Garbage from None
