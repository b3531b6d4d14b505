"""The bad calls of the border tests, made on every backend: a row names the rule it breaks and its values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Bad(NamedTuple):
    """A call that breaks one rule; `call` gets the module and a maker of buffers, `values` fill the rule's text."""

    rule: str
    call: Callable[[Any, Callable[[int], Any]], Any]
    values: dict[str, Any]


def view_call(op: str, shape: Any, strides: Any, offset: int, flat: int, buffer: int = 6) -> Callable[..., Any]:
    """A call of a view function: `flat` elements on the flat side, `buffer` below the view."""
    if op == "compact":
        return lambda mod, new: mod.compact(new(buffer), new(flat), shape, strides, offset)
    if op == "ewise_setitem":
        return lambda mod, new: mod.ewise_setitem(new(flat), new(buffer), shape, strides, offset)
    if op == "scalar_setitem":
        return lambda mod, new: mod.scalar_setitem(flat, 1.0, new(buffer), shape, strides, offset)
    return lambda mod, new: mod.to_numpy(new(buffer), shape, strides, offset)


VIEWED = {"compact": "a", "ewise_setitem": "out", "scalar_setitem": "out", "to_numpy": "a"}
FLAT = {"compact": "out", "ewise_setitem": "a", "scalar_setitem": "size"}


def same(mod: Any, new: Callable[[int], Any], op: str, *arguments: Any, inputs: int = 1) -> None:
    buffer = new(4)
    getattr(mod, op)(*[buffer] * (inputs + 1), *arguments)


def cases() -> dict[str, Bad]:
    bad: dict[str, Bad] = {}

    def add(name: str, rule: str, call: Callable[..., Any], **values: Any) -> None:
        bad[name] = Bad(rule, call, values)

    for op, arg in VIEWED.items():
        add(
            f"{op}: ranks differ",
            "layout_rank",
            view_call(op, (2, 3), (1,), 0, 6),
            op=op,
            shape="(2, 3)",
            strides="(1,)",
        )
        add(f"{op}: negative length", "negative_length", view_call(op, (2, -3), (3, 1), 0, 6), op=op, shape="(2, -3)")
        for text, shape, strides, offset, low, high in (
            ("one beyond", (2, 3), (3, 1), 1, 1, 6),
            ("below zero", (6,), (-1,), 4, -1, 4),
            ("negative offset", (), (), -1, -1, -1),
            ("far beyond", (2, 1), (2**40, 1), 0, 0, 2**40),
            ("empty, offset beyond", (0,), (1,), 7, 7, 7),
        ):
            add(
                f"{op}: {text}",
                "inside",
                view_call(op, shape, strides, offset, int(np.prod(shape))),
                op=op,
                arg=arg,
                size=6,
                shape=shape,
                strides=strides,
                offset=offset,
                low=low,
                high=high,
            )
        add(
            f"{op}: 2^80 elements",
            "overflow",
            view_call(op, (2**40, 2**40), (0, 0), 0, 6),
            op=op,
            what="the number of elements of shape (1099511627776, 1099511627776)",
        )
        add(
            f"{op}: position beyond 2^63",
            "overflow",
            view_call(op, (6,), (2**62,), 0, 6),
            op=op,
            what="an element position of shape (6,), strides (4611686018427387904,), offset 0",
        )
        add(
            f"{op}: length beyond 2^63", "overflow", view_call(op, (2**63,), (1,), 0, 6), op=op, what=f"shape = {2**63}"
        )
        add(
            f"{op}: None for a handle",
            "handle",
            lambda mod, new, op=op: getattr(mod, op)(
                *([6, 1.0, None] if op == "scalar_setitem" else [None] if op == "to_numpy" else [None, new(6)]),
                (6,),
                (1,),
                0,
            ),
            op=op,
            arg=arg if op != "ewise_setitem" else "a",
            got="NoneType",
        )
    for op, arg in FLAT.items():
        add(f"{op}: sizes", "view_size", view_call(op, (2, 3), (3, 1), 0, 5), op=op, arg=arg, view_size=6, size=5)
    for op in ("ewise_setitem", "scalar_setitem"):
        for shape3, strides3 in (((2, 3, 1), (0, 1, 0)), ((3, 2, 1), (1, 1, 9)), ((2, 2, 2), (1, 2, 2))):
            add(
                f"{op}: {shape3} by {strides3}",
                "one_to_one",
                view_call(op, shape3, strides3, 0, int(np.prod(shape3)), 8),
                op=op,
                shape=shape3,
                strides=strides3,
            )
    for op in ("compact", "ewise_setitem"):
        add(f"{op}: in place", "out_is_input", lambda mod, new, op=op: same(mod, new, op, (4,), (1,), 0), op=op)
    for op in ("reduce_max", "reduce_sum"):
        add(f"{op}: in place", "out_is_input", lambda mod, new, op=op: same(mod, new, op, 1), op=op)
        for size in (2, 0):
            add(
                f"{op}: {size} per row",
                "reduce_size",
                lambda mod, new, op=op, size=size: getattr(mod, op)(new(6), new(2), size),
                op=op,
                a_size=6,
                out_size=2,
                reduce_size=size,
            )
        add(
            f"{op}: negative",
            "negative_size",
            lambda mod, new, op=op: getattr(mod, op)(new(6), new(2), -3),
            op=op,
            arg="reduce_size",
            value=-3,
        )
        add(
            f"{op}: product beyond 2^63",
            "reduce_size",
            lambda mod, new, op=op: getattr(mod, op)(new(0), new(4), 2**62),
            op=op,
            a_size=0,
            out_size=4,
            reduce_size=2**62,
        )
    add("maximum of nothing", "empty_maximum", lambda mod, new: mod.reduce_max(new(0), new(2), 0), op="reduce_max")
    add("matmul: in place", "out_is_input", lambda mod, new: same(mod, new, "matmul", 2, 2, 2, inputs=2), op="matmul")
    for arg, sizes, rows, columns in (("a", (5, 12, 8), 2, 3), ("b", (6, 11, 8), 3, 4), ("out", (6, 12, 9), 2, 4)):
        add(
            f"matmul: size of {arg}",
            "matmul_size",
            lambda mod, new, sizes=sizes: mod.matmul(*map(new, sizes), 2, 3, 4),
            op="matmul",
            arg=arg,
            rows=rows,
            columns=columns,
            want=rows * columns,
            size=sizes[["a", "b", "out"].index(arg)],
        )
    add(
        "matmul: negative",
        "negative_size",
        lambda mod, new: mod.matmul(new(0), new(0), new(0), 2, -1, 2),
        op="matmul",
        arg="n",
        value=-1,
    )
    add(
        "matmul: 2^80 elements",
        "overflow",
        lambda mod, new: mod.matmul(new(6), new(6), new(6), 2**40, 2**40, 1),
        op="matmul",
        what="1099511627776 x 1099511627776",
    )
    for op in ("ewise_add", "ewise_ge"):
        add(
            f"{op}: b",
            "equal_sizes",
            lambda mod, new, op=op: getattr(mod, op)(new(3), new(2), new(3)),
            op=op,
            a="a",
            a_size=3,
            b="b",
            b_size=2,
        )
        add(
            f"{op}: out",
            "equal_sizes",
            lambda mod, new, op=op: getattr(mod, op)(new(3), new(3), new(0)),
            op=op,
            a="a",
            a_size=3,
            b="out",
            b_size=0,
        )
    for op, arguments in {"ewise_log": (), "scalar_add": (1.0,)}.items():
        add(
            f"{op}: out",
            "equal_sizes",
            lambda mod, new, op=op, arguments=arguments: getattr(mod, op)(new(3), *arguments, new(4)),
            op=op,
            a="a",
            a_size=3,
            b="out",
            b_size=4,
        )
    add(
        "from_numpy: short",
        "equal_sizes",
        lambda mod, new: mod.from_numpy(np.zeros((2, 2)), new(5)),
        op="from_numpy",
        a="a",
        a_size=4,
        b="out",
        b_size=5,
    )
    for value, got in (
        (None, "NoneType"),
        ("1", "str"),
        (1j, "complex"),
        (np.complex64(1), "complex64"),
        (np.zeros(1), "ndarray"),
    ):
        add(
            f"scalar {got}",
            "scalar",
            lambda mod, new, value=value: mod.scalar_mul(new(1), value, new(1)),
            op="scalar_mul",
            arg="value",
            got=got,
        )
    add("fill with None", "scalar", lambda mod, new: mod.fill(new(0), None), op="fill", arg="value", got="NoneType")
    add(
        "a list for a handle",
        "handle",
        lambda mod, new: mod.ewise_add(new(1), [1.0], new(1)),
        op="ewise_add",
        arg="b",
        got="list",
    )
    add(
        "a NumPy array for a handle",
        "handle",
        lambda mod, new: mod.from_numpy(np.zeros(1), np.zeros(1)),
        op="from_numpy",
        arg="out",
        got="ndarray",
    )
    add("Array(-1)", "negative_size", lambda mod, new: mod.Array(-1), op="Array", arg="size", value=-1)
    add("Array(2^64)", "overflow", lambda mod, new: mod.Array(2**64), op="Array", what=f"size = {2**64}")
    add(
        "Array(2^61)",
        "overflow",
        lambda mod, new: mod.Array(2**61),
        op="Array",
        what=f"the number of bytes of {2**61} elements",
    )
    add("Array(2^50)", "out_of_memory", lambda mod, new: mod.Array(2**50), op="Array", size=2**50, bytes=2**52)
    return bad
