"""The matrix product over the last two axes; earlier axes are a batch and broadcast."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array_kind import Array
from ..autograd import Tensor, TensorOp
from . import arrays
from .ewise import sum_to_shape


class MatMul(TensorOp):
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
        return arrays.matmul(a, b)

    def gradient(self, out_grad: Tensor, node: Any) -> tuple[Tensor, Tensor]:
        a, b = node.inputs
        return (
            sum_to_shape(out_grad @ b.transpose(), a.shape),
            sum_to_shape(a.transpose() @ out_grad, b.shape),
        )


def matmul(a: Tensor, b: Tensor) -> Tensor:
    return MatMul()(a, b)
