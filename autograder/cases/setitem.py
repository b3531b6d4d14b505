"""Cases of `ewise_setitem` and `scalar_setitem`: write through a view, and touch nothing else of the buffer."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.case import Buffer, Case, Expected, Ref
from autograder.cases.draw import Draw
from autograder.cases.layouts import View, drawn_layouts, must_layouts, numbered, view_of
from autograder.cases.oracle import scattered

CHECKS = (
    (
        "ewise_permuted",
        "ewise_setitem: the k-th element of `a` goes to the k-th place of the view, in row-major order.",
    ),
    (
        "ewise_offset",
        "ewise_setitem: strides and offset belong to `out`; all other elements of `out` stay as they are.",
    ),
    ("ewise_step", "ewise_setitem: elements between the steps of the view stay as they are; a stride may be negative."),
    ("ewise_rank", "ewise_setitem: a view has any number of axes up to the device's limit."),
    ("scalar_permuted", "scalar_setitem: `value` goes to every place of the view."),
    (
        "scalar_offset",
        "scalar_setitem: index (0, ..., 0) of the view lies at `offset`; all other elements stay as they are.",
    ),
    (
        "scalar_step",
        "scalar_setitem: elements between the steps of the view stay as they are; a stride may be negative.",
    ),
    ("scalar_rank", "scalar_setitem: a view has any number of axes up to the device's limit."),
)
_CHECK_OF_KIND = {
    "contiguous": "permuted",
    "permuted": "permuted",
    "offset": "offset",
    "view_of_view": "offset",
    "step": "step",
    "reversed": "step",
    "rank": "rank",
}


def cases(draw: Draw, device: str) -> list[Case]:
    """The cases of both functions for one device; broadcast layouts are never written through."""
    found: list[Case] = []
    for make, rounds in ((_ewise, 1), (_scalar, 1)):
        views = [*must_layouts(), *_with_gaps(), *drawn_layouts(draw, rounds)]
        found += [make(draw, view) for view in views if _writable(view)]
    return found


def _with_gaps() -> Iterator[View]:
    """Permuted views that leave elements out: in a whole permuted array one value looks right in every order."""
    flat, deep = numbered(3, 5), numbered(3, 4, 5)
    yield view_of(flat[:, ::2].T, "permuted", "the transpose of every second column of a 3x5", flat.size)
    block = deep[:, :2, ::2].transpose(2, 0, 1)
    many = numbered(2, 3, 2, 2, 4)
    yield view_of(many[..., ::2].T, "rank", "half of a 2x3x2x2x4 with its axes reversed", many.size)
    yield view_of(many.reshape(-1)[:1].reshape(()), "rank", "element 0 of 96 as an array without axes", many.size)
    yield view_of(block, "permuted", "half of a 3x4x5 with its axes in the order 2, 0, 1", deep.size)


def _writable(view: View) -> bool:
    return all(stride != 0 or length <= 1 for length, stride in zip(view.shape, view.strides, strict=True))


def _ewise(draw: Draw, view: View) -> Case:
    a = draw.distinct(view.size, start=20001)
    base = draw.distinct(view.allocation)
    return Case(
        id="",
        check=f"ewise_{_CHECK_OF_KIND.get(view.kind, 'offset')}",
        function="ewise_setitem",
        args=(Ref(0), Ref(1), view.shape, view.strides, view.offset),
        buffers=(Buffer("a", a), Buffer("out", base, writable=True)),
        expected={1: Expected(scattered(a, base, view.shape, view.strides, view.offset))},
        note=view.note,
        facts=view.facts(),
    )


def _scalar(draw: Draw, view: View) -> Case:
    value = -0.5 - draw.integer(30000, 40000)
    base = draw.distinct(view.allocation)
    return Case(
        id="",
        check=f"scalar_{_CHECK_OF_KIND.get(view.kind, 'offset')}",
        function="scalar_setitem",
        args=(view.size, value, Ref(0), view.shape, view.strides, view.offset),
        buffers=(Buffer("out", base, writable=True),),
        expected={0: Expected(scattered(value, base, view.shape, view.strides, view.offset))},
        note=view.note,
        facts=view.facts(),
    )
