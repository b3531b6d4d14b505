"""The functions of a backend, once for Python. Once for C++: src/common/contract.h; a test holds them equal.

`a`, `b` and `out` are `Array` handles (flat buffers of float32), `value` is a number, `shape` and `strides` are tuples
of int, everything else is an int. Sizes, strides and offsets count elements. All write `out` and return None.
"""

from __future__ import annotations

_LAYOUT = ("shape", "strides", "offset")
_EWISE = ("a", "b", "out")
_UNARY = ("a", "out")
_SCALAR = ("a", "value", "out")
_REDUCE = ("a", "out", "reduce_size")
_MATMUL = ("a", "b", "out", "m", "n", "p")

REQUIRED: dict[str, tuple[str, ...]] = {
    "fill": ("out", "value"),
    "compact": ("a", "out", *_LAYOUT),
    "ewise_setitem": ("a", "out", *_LAYOUT),
    "scalar_setitem": ("size", "value", "out", *_LAYOUT),
    "ewise_add": _EWISE,
    "ewise_mul": _EWISE,
    "ewise_div": _EWISE,
    "ewise_maximum": _EWISE,
    "ewise_eq": _EWISE,
    "ewise_ge": _EWISE,
    "ewise_log": _UNARY,
    "ewise_exp": _UNARY,
    "ewise_tanh": _UNARY,
    "scalar_add": _SCALAR,
    "scalar_mul": _SCALAR,
    "scalar_div": _SCALAR,
    "scalar_power": _SCALAR,
    "scalar_maximum": _SCALAR,
    "scalar_eq": _SCALAR,
    "scalar_ge": _SCALAR,
    "reduce_max": _REDUCE,
    "reduce_sum": _REDUCE,
    "matmul": _MATMUL,
}

# A backend may leave these out. Where one is there, NDArray uses it: matmul_tiled takes over matmul, ewise_power is **.
OPTIONAL: dict[str, tuple[str, ...]] = {"matmul_tiled": _MATMUL, "ewise_power": _EWISE}

# How values enter and leave a backend: given in every backend, no exercise, no launch.
TRANSFER: dict[str, tuple[str, ...]] = {
    "Array": ("size",),
    "to_numpy": ("a", *_LAYOUT),
    "from_numpy": ("np_array", "out"),
}

# Family -> its functions. A family is a file of every backend: src/backend_cpu/reduce.cc, src/backend_cuda/reduce.cu.
FAMILIES: dict[str, tuple[str, ...]] = {
    "fill": ("fill",),
    "compact": ("compact",),
    "setitem": ("ewise_setitem", "scalar_setitem"),
    "ewise": tuple(name for name in REQUIRED if name.startswith("ewise_") and name != "ewise_setitem"),
    "scalar": tuple(name for name in REQUIRED if name.startswith("scalar_") and name != "scalar_setitem"),
    "reduce": ("reduce_max", "reduce_sum"),
    "matmul": ("matmul", "matmul_tiled"),
    "power": ("ewise_power",),
}

# What `counters()` of every backend reports; the live_* ones are states and survive `reset_counters()`.
COUNTERS = ("launches", "bytes_to_host", "bytes_from_host", "allocations", "live_allocations", "live_bytes")
