"""The matrix product over the last two axes; earlier axes are a batch and broadcast."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array_kind import Array
from ..autograd import Tensor, TensorOp
from ..unfinished import unfinished  # noqa: F401  (what an unwritten exercise raises)
from . import arrays
from .ewise import sum_to_shape


class MatMul(TensorOp):
    """a @ b; where batch axes were broadcast, the gradient is summed back to the operand's shape."""

    name = "matmul"

    def compute(self, a: Array, b: Array) -> Array:
        if a.ndim < 2 or b.ndim < 2:
            raise ValueError(f"matmul: {tuple(a.shape)} @ {tuple(b.shape)}: both need at least two axes")
        if a.shape[-1] != b.shape[-2]:
            raise ValueError(
                f"matmul: {tuple(a.shape)} @ {tuple(b.shape)}: the last axis of the left side must have the length of "
                "the second to last of the right side"
            )
        try:
            np.broadcast_shapes(tuple(a.shape[:-2]), tuple(b.shape[:-2]))
        except ValueError:
            raise ValueError(f"matmul: {tuple(a.shape)} @ {tuple(b.shape)}: the batch axes do not broadcast") from None
        # BEGIN SOLUTION matmul.autograd
        return arrays.matmul(a, b)
        # END SOLUTION matmul.autograd

    def gradient(self, out_grad: Tensor, node: Any) -> tuple[Tensor, Tensor]:
        # BEGIN SOLUTION matmul.autograd
        a, b = node.inputs
        return (
            sum_to_shape(out_grad @ b.transpose(), a.shape),
            sum_to_shape(a.transpose() @ out_grad, b.shape),
        )
        # END SOLUTION matmul.autograd


def matmul(a: Tensor, b: Tensor) -> Tensor:
    return MatMul()(a, b)
