"""The right answer of a contract function: the NumPy specification, run in float64.

The specification is loaded by its path, with stand-ins for what it imports: its border checks would load layout.py,
which is an exercise, and student code never runs on this side.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from autograder.case import Float64

SPECIFICATION = Path(__file__).resolve().parents[2] / "python/needle/backend_ndarray/ndarray_backend_numpy.py"
_PACKAGE = "_autograder_specification"
_loading = threading.Lock()  # exercises are judged by several threads, and the stand-ins below are the process's

Shape = tuple[int, ...]


def addresses(shape: Shape, strides: Shape, offset: int) -> npt.NDArray[np.int64]:
    """The element that each index of a layout reaches, in row-major order of the indices."""
    reached = np.array([offset], dtype=np.int64)
    for length, stride in zip(shape, strides, strict=True):
        reached = np.add.outer(reached, stride * np.arange(length, dtype=np.int64)).reshape(-1)
    return reached


def kernels() -> dict[str, Callable[..., None]]:
    """The specification's kernels on flat arrays of any floating dtype, by the names of the contract."""
    with _loading:
        return _kernels()


@functools.cache
def _kernels() -> dict[str, Callable[..., None]]:

    def at_border(kernel: Any) -> Any:
        kernel.kernel = kernel  # no border: the cases keep its rules themselves
        return kernel

    package, border, rules = (ModuleType(_PACKAGE + part) for part in ("", ".border", ".rules"))
    package.__path__ = []
    for module in (border, rules):
        module.__getattr__ = lambda name: None  # type: ignore[method-assign]  # handles, counters: not used by kernels
    border.at_border = at_border  # type: ignore[attr-defined]
    package.rules, package.border = rules, border  # type: ignore[attr-defined]
    spec = importlib.util.spec_from_file_location(f"{_PACKAGE}.specification", SPECIFICATION)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(SPECIFICATION)
    specification = importlib.util.module_from_spec(spec)
    stand_ins = {each.__name__: each for each in (package, border, rules)}
    sys.modules.update(stand_ins)
    try:
        spec.loader.exec_module(specification)
    finally:
        for name in stand_ins:
            del sys.modules[name]
    return dict(specification.KERNELS)


def _float64(values: Any) -> Float64:
    return np.asarray(values, dtype=np.float64)


def elementwise(function: str, a: Any, b: Any = None) -> Float64:
    """`ewise_*` and `scalar_*`; `b` is an array, a float32 number, or None for log, exp and tanh."""
    out = np.empty(np.size(a), dtype=np.float64)
    operands = [_float64(a)] if b is None else [_float64(a), _float64(b) if np.ndim(b) else float(b)]
    with np.errstate(all="ignore"):
        kernels()[function](*operands, out)
    return out


def reduction(function: str, a: Any, out_size: int, reduce_size: int) -> Float64:
    """`reduce_sum` and `reduce_max`."""
    out = np.empty(out_size, dtype=np.float64)
    with np.errstate(all="ignore"):
        kernels()[function](_float64(a), out, reduce_size)
    return out


def product(a: Any, b: Any, m: int, n: int, p: int) -> Float64:
    """`matmul`."""
    out = np.empty(m * p, dtype=np.float64)
    kernels()["matmul"](_float64(a), _float64(b), out, m, n, p)
    return out


def gathered(a: Any, shape: Shape, strides: Shape, offset: int) -> Float64:
    """`compact`."""
    out = np.empty(int(np.prod(shape, dtype=np.int64)), dtype=np.float64)
    kernels()["compact"](_float64(a), out, shape, strides, offset)
    return out


def scattered(values: Any, before: Any, shape: Shape, strides: Shape, offset: int) -> Float64:
    """`ewise_setitem`, and `scalar_setitem` where `values` is a number: the whole buffer after the call."""
    after = _float64(before).copy()
    if np.ndim(values):
        kernels()["ewise_setitem"](_float64(values), after, shape, strides, offset)
    else:
        size = int(np.prod(shape, dtype=np.int64))
        kernels()["scalar_setitem"](size, float(values), after, shape, strides, offset)
    return after


def to_tiles(flat: Any, rows: int, columns: int, tile: int) -> Any:
    """A row-major matrix as `matmul_tiled` takes it: tile after tile, each row-major."""
    parts = np.asarray(flat).reshape(rows // tile, tile, columns // tile, tile)
    return np.ascontiguousarray(parts.transpose(0, 2, 1, 3)).reshape(-1)
