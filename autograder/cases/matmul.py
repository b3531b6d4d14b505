"""Cases of `matmul` and `matmul_tiled`."""

from __future__ import annotations

import numpy as np

from autograder.case import Buffer, Case, Expected, Float32, Ref
from autograder.cases import bounds
from autograder.cases.draw import Draw, poison
from autograder.cases.oracle import product, to_tiles

TILE = 8  # side of the tiles of matmul_tiled on the CPU
CHECKS = (
    ("square", "`out[i][k]` is the sum over j of `a[i][j] * b[j][k]`."),
    ("rectangular", "`a` is m x n, `b` is n x p and `out` is m x p: three different sizes."),
    ("vector", "Also where one or more of m, n and p are 1."),
    ("many", "Sizes are any numbers, not only multiples of a tile or a block."),
    ("garbage", "`out` holds garbage on entry."),
    ("inner_zero", "Where n is 0, every element of the product is 0."),
    ("rounding", "Within the rounding of sums of n float32 products, in any order."),
)
TILED_CHECKS = (
    ("one_tile", "Each operand is stored tile after tile; a tile is row-major, TILE x TILE."),
    ("square", "Tile (i, k) of `out` is the sum over j of tile (i, j) of `a` times tile (j, k) of `b`."),
    ("rectangular", "m, n and p are the sizes of the whole matrices, three different multiples of the tile."),
    ("garbage", "`out` holds garbage on entry."),
    ("rounding", "Within the rounding of sums of n float32 products, in any order."),
)
_SQUARE = ((2, 2, 2), (3, 3, 3), (8, 8, 8), (16, 16, 16))
_RECTANGULAR = ((2, 3, 4), (4, 3, 2), (5, 7, 3), (8, 16, 24), (9, 4, 17))
_VECTOR = ((1, 7, 5), (5, 7, 1), (6, 1, 4), (1, 9, 1), (1, 1, 1), (1, 1, 300), (300, 1, 1))
_MANY = ((31, 7, 33), (33, 31, 2), (17, 25, 9), (3, 65, 5), (25, 25, 25), (33, 5, 34))
_BLOCKS = ((3, 4, 5), (4, 5, 13), (13, 4, 3), (5, 13, 4), (16, 17, 15), (17, 33, 49), (1, 4, 260), (260, 3, 1))


def cases(draw: Draw, device: str) -> list[Case]:
    """The cases of `matmul` for one device."""
    many = _MANY + (_BLOCKS if device == "cuda" else ())
    groups = (("square", _SQUARE), ("rectangular", _RECTANGULAR), ("vector", _VECTOR), ("many", many))
    found = [_whole(draw, check, *sizes) for check, group in groups for sizes in group]
    for _ in range(6):
        found.append(_whole(draw, "rectangular", draw.integer(2, 12), draw.integer(2, 12), draw.integer(2, 12)))
        found.append(_whole(draw, "many", draw.integer(9, 40), draw.integer(9, 40), draw.integer(9, 40)))
    found += [_whole(draw, "garbage", *sizes, garbage=True) for sizes in ((3, 4, 5), (9, 2, 17))]
    found += [_whole(draw, "inner_zero", m, 0, p) for m, p in ((2, 3), (1, 1))]
    found.append(_whole(draw, "square", 0, 3, 4))
    found += [_real(draw, *sizes) for sizes in ((4, 30, 6), (3, 257, 2))]
    return found


def tiled_cases(draw: Draw, device: str) -> list[Case]:
    """The cases of `matmul_tiled`: the same numbers, stored tile after tile."""
    t = TILE
    groups = {
        "one_tile": ((t, t, t), (t, t, t)),
        "square": ((2 * t, 2 * t, 2 * t), (3 * t, 3 * t, 3 * t)),
        "rectangular": (
            (t, 2 * t, 3 * t),
            (2 * t, t, 3 * t),
            (3 * t, 2 * t, t),
            (t, 3 * t, 2 * t),
            (2 * t, 3 * t, 2 * t),
        ),
        "garbage": ((t, t, t), (2 * t, t, 3 * t)),
    }
    found = [_tiled(_whole(draw, c, *s, garbage=c == "garbage")) for c, sizes in groups.items() for s in sizes]
    for _ in range(4):
        m, n, p = (t * draw.integer(1, 4) for _ in range(3))
        found.append(_tiled(_whole(draw, "rectangular", m, n, p)))
    found.append(_tiled(_real(draw, 2 * t, 3 * t, t)))
    return found


def _whole(draw: Draw, check: str, m: int, n: int, p: int, garbage: bool = False) -> Case:
    """Small whole numbers: every order of summation gives the same, exact answer."""
    before = (draw.reals(m * p, 500.0, 4000.0).round() if garbage else poison(m * p)).astype(np.float32)
    return _case(check, draw.small(m * n, 9), draw.small(n * p, 12), before, m, n, p)


def _real(draw: Draw, m: int, n: int, p: int) -> Case:
    return _case("rounding", draw.reals(m * n, -0.5, 2.0), draw.reals(n * p, -0.25, 1.5), poison(m * p), m, n, p)


def _case(check: str, a: Float32, b: Float32, before: Float32, m: int, n: int, p: int) -> Case:
    bound: bounds.Float64 | float = 0.0
    if check == "rounding":
        bound = bounds.of_sum(product(np.abs(a), np.abs(b), m, n, p), n + 1)
    return Case(
        id="",
        check=check,
        function="matmul",
        args=(Ref(0), Ref(1), Ref(2), m, n, p),
        buffers=(Buffer("a", a), Buffer("b", b), Buffer("out", before, writable=True)),
        expected={2: Expected(product(a, b, m, n, p), bound)},
        note=f"a {m}x{n} times a {n}x{p}",
        facts={"m": m, "n": n, "p": p},
    )


def _tiled(case: Case) -> Case:
    """The same product with `a`, `b` and `out` stored tile after tile."""
    m, n, p = case.facts["m"], case.facts["n"], case.facts["p"]
    a, b, out = case.buffers
    right = case.expected[2]
    bound = to_tiles(right.bound, m, p, TILE) if isinstance(right.bound, np.ndarray) else right.bound
    return Case(
        id="",
        check=case.check,
        function="matmul_tiled",
        args=case.args,
        buffers=(
            Buffer("a", to_tiles(a.before, m, n, TILE)),
            Buffer("b", to_tiles(b.before, n, p, TILE)),
            Buffer("out", to_tiles(out.before, m, p, TILE), writable=True),
        ),
        expected={2: Expected(to_tiles(right.values, m, p, TILE), bound)},
        note=case.note,
        facts={**case.facts, "tile": TILE},
    )
