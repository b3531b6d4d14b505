"""Cases of the operators that move elements without changing them."""

from __future__ import annotations

import numpy as np

from autograder.autograd.case import TensorCase
from autograder.cases.autograd.ewise import summed
from autograder.cases.autograd.numbers import shape_of, signed
from autograder.cases.autograd.question import Answer, Question, V, shown
from autograder.cases.draw import Draw

CHECKS = (
    *("transpose", "transpose_gradient", "permute_gradient", "reshape", "reshape_gradient"),
    *("broadcast_to_gradient", "broadcast_to_square", "flip", "flip_gradient"),
)
BROADCASTS = [
    ((5,), (1, 5)),
    ((3, 1, 5), (2, 3, 4, 5)),
    ((), (2, 3)),
    ((1, 1), (1, 1)),
    ((1, 4), (3, 4)),
    ((2,), (3, 2)),
]
SQUARES = [((3,), (3, 3)), ((3, 1), (3, 3)), ((2,), (2, 2, 2))]


def cases(draw: Draw) -> list[TensorCase]:
    """The cases of `views.autograd`."""
    return _transposes(draw) + _permutes(draw) + _reshapes(draw) + _broadcasts(draw) + _flips(draw)


def _transposes(draw: Draw) -> list[TensorCase]:
    found = []
    both = ["Transpose.compute", "Transpose.gradient"]
    for axes, ndim in ((None, 2), (None, 3), ((0, 2), 3), ((-1, 0), 3), ((1, 2), 4)):
        shape = shape_of(draw, ndim)
        a = signed(draw, shape)
        right = np.swapaxes(a, *(axes or (-1, -2)))
        g = signed(draw, right.shape)
        told = "" if axes is None else f", {axes}"
        asked = Question(f"transpose(a{told}) of shape {shown(shape)}", a=a).then("y", "transpose", V("a"), axes)
        reversed_axes = [("All axes are reversed; transpose swaps two.", a.T)]
        found.append(asked.value("transpose", both[:1], Answer(right, mistakes=reversed_axes)))
        found.append(asked.gradient("transpose_gradient", both, g, a=np.swapaxes(g, *(axes or (-1, -2)))))
    return found


def _permutes(draw: Draw) -> list[TensorCase]:
    found = []
    for axes in ((1, 0), (2, 0, 1), (1, 2, 0), (-1, 0, 1), (3, 0, 2, 1)):
        shape = shape_of(draw, len(axes))
        a = signed(draw, shape)
        g = signed(draw, np.transpose(a, axes).shape)
        # Cyclic orders of three axes are not their own inverse, so the order applied twice is another array.
        same = [("The same order is applied again; the gradient needs the inverse order.", np.transpose(g, axes))]
        back = np.transpose(g, np.argsort([axis % len(axes) for axis in axes]))
        asked = Question(f"permute(a, {axes}) of shape {shown(shape)}", a=a).then("y", "permute", V("a"), axes)
        found.append(asked.gradient("permute_gradient", ["Permute.gradient"], g, a=Answer(back, mistakes=same)))
    return found


def _reshapes(draw: Draw) -> list[TensorCase]:
    found = []
    both = ["Reshape.compute", "Reshape.gradient"]
    for old, new in (((2, 3), (3, 2)), ((2, 3), (6,)), ((4,), (2, 1, 2)), ((1,), ()), ((2, 6), (3, -1))):
        a = signed(draw, old)
        right = a.reshape(new)
        g = signed(draw, right.shape)
        asked = Question(f"reshape(a, {new}) of shape {shown(old)}", a=a).then("y", "reshape", V("a"), new)
        found.append(asked.value("reshape", both[:1], right))
        found.append(asked.gradient("reshape_gradient", both, g, a=g.reshape(old)))
    return found


def _broadcasts(draw: Draw) -> list[TensorCase]:
    found = []
    for check, pairs in (("broadcast_to_gradient", BROADCASTS), ("broadcast_to_square", SQUARES)):
        for old, new in pairs:
            a = signed(draw, old)
            # The first square is the one of the lesson: with 0 ... 8 the sums of columns and rows can be told by heart.
            g = np.arange(9.0).reshape(3, 3) if (old, new) == SQUARES[0] else signed(draw, new)
            asked = Question(f"broadcast_to(a, {shown(new)}) of shape {shown(old)}", a=a)
            asked.then("y", "broadcast_to", V("a"), new)
            found.append(asked.gradient(check, ["BroadcastTo.gradient"], g, a=summed(g, old)))
    return found


def _flips(draw: Draw) -> list[TensorCase]:
    found = []
    both = ["Flip.compute", "Flip.gradient"]
    for axes in (None, 0, (1,), (0, -1)):
        shape = shape_of(draw, 3)
        a, g = signed(draw, shape), signed(draw, shape)
        asked = Question(f"flip(a, {axes}) of shape {shown(shape)}", a=a).then("y", "flip", V("a"), axes)
        unturned = [("The gradient is not turned back.", g)]
        found.append(asked.value("flip", both[:1], Answer(np.flip(a, axes))))
        found.append(asked.gradient("flip_gradient", both, g, a=Answer(np.flip(g, axes), mistakes=unturned)))
    return found
