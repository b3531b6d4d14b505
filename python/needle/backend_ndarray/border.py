"""The border of the NumPy backend: what bindings.cc and border.cc are for the compiled ones.

`at_border` wraps a kernel, which takes flat NumPy arrays and trusts them, into the function of the contract, which
takes `Array` handles and checks everything first, counts the launch, and calls nothing when there is nothing to do.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import rules
from .contract import COUNTERS, OPTIONAL, REQUIRED, TRANSFER
from .layout import Layout

DEVICE = "numpy"
MAX_RANK = 32

Flat = npt.NDArray[Any]  # one axis, any floating dtype
_PARAMETERS = {**REQUIRED, **OPTIONAL, **TRANSFER}
_counts = dict.fromkeys(COUNTERS, 0)


class Array:
    """A handle: one flat buffer of `size` float32 elements, uninitialised. `array` is the NumPy array that holds it."""

    device = DEVICE

    def __init__(self, size: int) -> None:
        size = rules.check_integer("Array", "size", size)
        rules.check_not_negative("Array", "size", size)
        rules.check_fits("Array", f"the number of bytes of {size} elements", 4 * size)
        try:
            self.array = np.empty(size, dtype=np.float32)
        except (MemoryError, ValueError):  # NumPy has its own limit below 64 bits
            rules.fail("out_of_memory", op="Array", size=size, bytes=4 * size, device=DEVICE)
        _counts["allocations"] += 1
        _counts["live_allocations"] += 1
        _counts["live_bytes"] += self.array.nbytes

    def __del__(self) -> None:
        if hasattr(self, "array"):  # not when the allocation was refused
            _counts["live_allocations"] -= 1
            _counts["live_bytes"] -= self.array.nbytes

    @property
    def size(self) -> int:
        return int(self.array.size)

    def ptr(self) -> int:
        """The address of the first element."""
        return int(self.array.ctypes.data)


def counters() -> dict[str, int]:
    """What happened since the last reset; the live_* figures are states and are never reset."""
    return dict(_counts)


def reset_counters() -> None:
    _counts.update({name: 0 for name in COUNTERS if not name.startswith("live_")})


def count(name: str, amount: int) -> None:
    _counts[name] += amount


def check_arguments(op: str, arguments: tuple[Any, ...]) -> dict[str, Any]:
    """Check each argument by itself and return them by name; numbers come back rounded to float32."""
    names = _PARAMETERS[op]
    if len(arguments) != len(names):
        raise TypeError(f"{op}: {len(names)} arguments are needed ({', '.join(names)}), not {len(arguments)}")
    return {name: _check_argument(op, name, value) for name, value in zip(names, arguments, strict=True)}


def _check_argument(op: str, name: str, value: Any) -> Any:
    if name in ("a", "b", "out"):
        rules.check_handle(op, name, value, Array, DEVICE)
        return value
    if name == "value":
        rules.check_scalar(op, name, value)
        with np.errstate(over="ignore"):
            return float(np.float32(value))  # a compiled kernel takes a float
    if name in ("shape", "strides"):
        return tuple(rules.check_integer(op, name, item) for item in value)
    return rules.check_integer(op, name, value)


def check_view(op: str, given: dict[str, Any], viewed: str) -> Layout:
    """Check shape, strides and offset by themselves and inside the buffer named `viewed`."""
    layout = rules.check_layout(op, given["shape"], given["strides"], given["offset"], DEVICE, MAX_RANK)
    other = "out" if viewed == "a" else "a" if "a" in given else "size"
    if other in given:
        rules.check_view_size(op, layout, other, given[other] if other == "size" else given[other].size)
    rules.check_inside(op, layout, viewed, given[viewed].size)
    return layout


def check_call(op: str, given: dict[str, Any]) -> int:
    """Check the arguments of a kernel against each other and return how many elements it will write."""
    out = given["out"]
    if "shape" in given or "m" in given or "reduce_size" in given:  # element-wise functions may work in place
        rules.check_out_is_no_input(op, out, given.get("a"), given.get("b"))
    if "shape" in given:
        layout = check_view(op, given, "a" if op == "compact" else "out")
        if op != "compact":
            rules.check_one_to_one(op, layout)
        return layout.size
    if "m" in given:
        rules.check_matmul(op, (given["a"].size, given["b"].size, out.size), given["m"], given["n"], given["p"])
    elif "reduce_size" in given:
        rules.check_reduce(op, given["a"].size, out.size, given["reduce_size"])
    else:
        for name in ("b", "out"):
            if "a" in given and name in given:
                rules.check_equal_sizes(op, "a", given["a"].size, name, given[name].size)
    return int(out.size)


def at_border(kernel: Callable[..., None]) -> Callable[..., None]:
    """Make a kernel on flat arrays the function of the contract with its name; `.kernel` stays the kernel itself."""
    op = kernel.__name__

    @functools.wraps(kernel)
    def checked(*arguments: Any) -> None:
        given = check_arguments(op, arguments)
        if check_call(op, given) == 0:
            return
        count("launches", 1)
        # inf and NaN are ordinary results here, as they are in a compiled kernel.
        with np.errstate(all="ignore"):
            kernel(*(value.array if isinstance(value, Array) else value for value in given.values()))

    checked.kernel = kernel  # type: ignore[attr-defined]
    return checked
