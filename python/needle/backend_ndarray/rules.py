"""The rules at the border of a backend: one text for each, the same words in Python and in C++ (src/common/rules.h).

A check names the operation, the rule and the values. Kernels trust their arguments because these ran before them.
Order, the same in every backend: handles, scalars and integers in the order of the parameters; aliasing; the layout by
itself (ranks, limit, lengths, overflow); sizes; the layout inside its buffer; one-to-one.
"""

from __future__ import annotations

import numbers
import operator
from typing import Any, NoReturn

from .layout import Layout, Shape

RULES: dict[str, tuple[type[Exception], str]] = {
    "handle": (TypeError, "{op}: {arg} must be an Array of {device}, not {got}"),
    "scalar": (TypeError, "{op}: {arg} must be a number, not {got}"),
    "equal_sizes": (ValueError, "{op}: sizes must agree, but {a} has {a_size} elements and {b} has {b_size}"),
    "layout_rank": (ValueError, "{op}: shape {shape} and strides {strides} must have the same length"),
    "rank_limit": (ValueError, "{op}: {rank} axes, but {device} takes at most {limit}"),
    "negative_length": (ValueError, "{op}: shape {shape} has a negative length"),
    "view_size": (ValueError, "{op}: the view has {view_size} elements but {arg} has {size}"),
    "inside": (
        ValueError,
        "{op}: shape {shape}, strides {strides}, offset {offset} reach elements {low} to {high}, but {arg} has {size}",
    ),
    "out_is_input": (ValueError, "{op}: out must not be the buffer of an input"),
    "one_to_one": (
        ValueError,
        "{op}: shape {shape}, strides {strides} may reach one element by two indices, so it cannot be written; "
        "write to .compact()",
    ),
    "reduce_size": (
        ValueError,
        "{op}: a has {a_size} elements, which is not out.size {out_size} times reduce_size {reduce_size}",
    ),
    "empty_maximum": (ValueError, "{op}: the maximum of no elements does not exist (reduce_size 0)"),
    "matmul_size": (ValueError, "{op}: {arg} must have {rows} x {columns} = {want} elements, but has {size}"),
    "tile_multiple": (ValueError, "{op}: m, n, p = {m}, {n}, {p} must be multiples of the tile size {tile}"),
    "negative_size": (ValueError, "{op}: {arg} must not be negative, got {value}"),
    "overflow": (ValueError, "{op}: {what} does not fit into 64 bits"),
    "out_of_memory": (MemoryError, "{op}: no memory for {size} elements ({bytes} bytes) on {device}"),
}

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1


def fail(rule: str, **values: Any) -> NoReturn:
    """Raise the error of a rule, with its values filled in."""
    error, text = RULES[rule]
    raise error(text.format(**values))


def describe(value: Any) -> str:
    """Say what was passed instead of a handle or number: the type's name, for a foreign handle also its device."""
    device = getattr(value, "device", None)
    return f"an Array of {device}" if type(value).__name__ == "Array" and device else type(value).__name__


def check_handle(op: str, arg: str, value: Any, array_type: type, device: str) -> None:
    if not isinstance(value, array_type):
        fail("handle", op=op, arg=arg, device=device, got=describe(value))


def check_scalar(op: str, arg: str, value: Any) -> None:
    is_numpy_bool = type(value).__name__ in ("bool", "bool_")  # which is no numbers.Real
    if not isinstance(value, numbers.Real) and not is_numpy_bool:
        fail("scalar", op=op, arg=arg, got=describe(value))


def check_integer(op: str, arg: str, value: Any) -> int:
    """Return a plain int. What is no integer gets Python's own TypeError; what leaves 64 bits is refused."""
    number = operator.index(value)
    check_fits(op, f"{arg} = {number}", number)
    return number


def check_not_negative(op: str, arg: str, value: int) -> None:
    if value < 0:
        fail("negative_size", op=op, arg=arg, value=value)


def check_fits(op: str, what: str, value: int) -> None:
    if not INT64_MIN <= value <= INT64_MAX:
        fail("overflow", op=op, what=what)


def check_equal_sizes(op: str, a: str, a_size: int, b: str, b_size: int) -> None:
    if a_size != b_size:
        fail("equal_sizes", op=op, a=a, a_size=a_size, b=b, b_size=b_size)


def check_layout(op: str, shape: Shape, strides: Shape, offset: int, device: str, limit: int) -> Layout:
    """Return the layout if it makes sense by itself; whether it fits a buffer is `check_inside`."""
    if len(shape) != len(strides):
        fail("layout_rank", op=op, shape=shape, strides=strides)
    if len(shape) > limit:
        fail("rank_limit", op=op, rank=len(shape), device=device, limit=limit)
    if any(length < 0 for length in shape):
        fail("negative_length", op=op, shape=shape)
    layout = Layout(shape, strides, offset)
    check_fits(op, f"the number of elements of shape {shape}", layout.size)
    return layout


def check_view_size(op: str, layout: Layout, arg: str, size: int) -> None:
    if layout.size != size:
        fail("view_size", op=op, view_size=layout.size, arg=arg, size=size)


def check_inside(op: str, layout: Layout, arg: str, size: int) -> None:
    low, high = layout.span()
    position = f"an element position of shape {layout.shape}, strides {layout.strides}, offset {layout.offset}"
    check_fits(op, position, low)
    check_fits(op, position, high)
    if not layout.fits(size):
        fail(
            "inside", op=op, shape=layout.shape, strides=layout.strides, offset=layout.offset,
            low=low, high=high, arg=arg, size=size,
        )  # fmt: skip


def check_one_to_one(op: str, layout: Layout) -> None:
    if not layout.is_one_to_one():
        fail("one_to_one", op=op, shape=layout.shape, strides=layout.strides)


def check_out_is_no_input(op: str, out: Any, *inputs: Any) -> None:
    if any(out is given for given in inputs):
        fail("out_is_input", op=op)


def check_reduce(op: str, a_size: int, out_size: int, reduce_size: int) -> None:
    check_not_negative(op, "reduce_size", reduce_size)
    if a_size != out_size * reduce_size:
        fail("reduce_size", op=op, a_size=a_size, out_size=out_size, reduce_size=reduce_size)
    if op == "reduce_max" and reduce_size == 0 and out_size > 0:
        fail("empty_maximum", op=op)


def check_matmul(op: str, sizes: tuple[int, int, int], m: int, n: int, p: int, tile: int = 1) -> None:
    """`sizes` are the element counts of a, b and out; `tile` is above 1 for the tiled product."""
    for arg, value in (("m", m), ("n", n), ("p", p)):
        check_not_negative(op, arg, value)
    if m % tile or n % tile or p % tile:
        fail("tile_multiple", op=op, m=m, n=n, p=p, tile=tile)
    for arg, size, rows, columns in zip(("a", "b", "out"), sizes, (m, n, m), (n, p, p), strict=True):
        check_fits(op, f"{rows} x {columns}", rows * columns)
        if size != rows * columns:
            fail("matmul_size", op=op, arg=arg, rows=rows, columns=columns, want=rows * columns, size=size)
