"""Cases of `compact`: the elements of a view, in row-major order of its indices, into a buffer of their own."""

from __future__ import annotations

from autograder.case import Buffer, Case, Expected, Ref
from autograder.cases.draw import Draw, poison
from autograder.cases.layouts import View, drawn_layouts, must_layouts
from autograder.cases.oracle import gathered

CHECKS = (
    ("contiguous", "`out[k]` is the k-th element of the view, in row-major order."),
    ("permuted", "The last index runs fastest, whatever the strides are."),
    ("offset", "Index (0, ..., 0) of the view lies at element `offset` of `a`."),
    ("step", "Index i of an axis lies i times the axis's stride further on."),
    ("reversed", "A stride may be negative."),
    ("broadcast", "A stride may be 0: then all indices of that axis are the same element."),
    ("view_of_view", "Shape, strides and offset together say where an element lies: a view of a view needs all three."),
    ("rank", "A view has any number of axes up to the device's limit; a view without axes has one element."),
)


def cases(draw: Draw, device: str) -> list[Case]:
    """The cases of `compact` for one device."""
    views = list(must_layouts()) + list(drawn_layouts(draw, 2))
    return [_case(draw, view) for view in views]


def _case(draw: Draw, view: View) -> Case:
    a = draw.distinct(view.allocation)
    out = poison(view.size)
    return Case(
        id="",
        check=view.kind,
        function="compact",
        args=(Ref(0), Ref(1), view.shape, view.strides, view.offset),
        buffers=(Buffer("a", a), Buffer("out", out, writable=True)),
        expected={1: Expected(gathered(a, view.shape, view.strides, view.offset))},
        note=view.note,
        facts=view.facts(),
    )
