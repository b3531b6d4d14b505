"""The views exercises: the folder that the child imports from, and chains that begin at the exercise's own step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from autograder import runner, sandbox
from autograder.case import Case, ViewCase
from autograder.exercise import Exercise

GIVEN = ("python/needle/unfinished.py",)  # what layout.py may import besides the standard library


def stage(root: Path, folder: Path, exercise: Exercise, source: bytes, limits: sandbox.Limits) -> runner.Program:
    """Write the tiny `needle` package: the student's file, the given files it imports, and nothing else."""
    package = folder / "needle" / "backend_ndarray"
    package.mkdir(parents=True)
    (folder / "needle" / "__init__.py").touch()
    (package / "__init__.py").touch()
    for name in GIVEN:
        (folder / Path(name).relative_to("python")).write_bytes((root / name).read_bytes())
    (folder / Path(exercise.file).relative_to("python")).write_bytes(source)
    folder.chmod(0o755)  # another user may be the one to read it
    return runner.views_program(folder, limits)


def folded(case: Case | ViewCase, exercise: Exercise) -> Case | ViewCase:
    """The case with leading steps of other exercises done here: one mistake costs once."""
    if isinstance(case, Case):
        return case
    own = [position for position, (name, _) in enumerate(case.steps) if name in exercise.functions]
    first = own[0] if own else 0
    if first == 0:
        return case
    start = after(case.start, case.allocation, case.steps[:first])
    return replace(case, start=start, steps=case.steps[first:])


Start = tuple[tuple[int, ...], tuple[int, ...], int]


def after(start: Start, allocation: int, steps: tuple[tuple[str, Any], ...]) -> Start:
    """The layout after some steps, as NumPy makes it: strides and offset in elements."""
    shape, strides, offset = start
    buffer = np.zeros(max(allocation, 1), dtype=np.int8)  # one byte per element, so NumPy's strides are ours
    array = np.lib.stride_tricks.as_strided(buffer[offset:], shape, strides)
    for name, argument in steps:
        array = _step(array, name, argument)
    begin = array.__array_interface__["data"][0] - buffer.__array_interface__["data"][0]
    return array.shape, array.strides, begin if array.size else min(max(begin, 0), allocation)


def _step(array: npt.NDArray[np.int8], name: str, argument: Any) -> npt.NDArray[np.int8]:
    if name == "reshape":
        return np.asarray(array.reshape(argument))
    if name == "permute":
        return np.asarray(array.transpose(argument))
    if name == "broadcast_to":
        return np.broadcast_to(array, argument)
    items = argument if isinstance(argument, tuple) else (argument,)
    kept = []
    axis = 0
    for item in items:
        if isinstance(item, int):  # an integer keeps its axis
            item = slice(item % array.shape[axis], item % array.shape[axis] + 1)
        axis += 1 if item is not Ellipsis else array.ndim - len(items) + 1
        kept.append(item)
    return array[tuple(kept)]
