"""Layers without memory of earlier batches: linear, activations, containers, dropout, and the softmax loss."""

from __future__ import annotations

import math
from typing import Any

from .. import init, ops
from ..autograd import Tensor
from ..unfinished import unfinished  # noqa: F401  (what an unwritten exercise raises)
from .module import Module, Parameter


class Identity(Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


class Linear(Module):
    """x @ weight + bias, with weight (in, out) and bias (1, out), drawn in this order.

    Shapes: (..., in) to (..., out).
    Errors: ValueError when the last axis of x is not `in_features` long.
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = "float32"
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(init.kaiming_uniform(in_features, out_features, device=device, dtype=dtype))
        self.bias = None
        if bias:
            # Parameter last: a reshaped parameter would be a plain tensor, and never trained.
            row = init.kaiming_uniform(out_features, 1, device=device, dtype=dtype).reshape((1, out_features))
            self.bias = Parameter(row)

    def forward(self, x: Tensor) -> Tensor:
        if x.ndim < 2 or x.shape[-1] != self.in_features:
            raise ValueError(f"Linear: the input has shape {x.shape}, but needs (..., {self.in_features})")
        y = x @ self.weight
        return y if self.bias is None else y + self.bias.broadcast_to(y.shape)


class Flatten(Module):
    """(batch, ...) to (batch, product of the rest)."""

    def forward(self, x: Tensor) -> Tensor:
        return x.reshape((x.shape[0], math.prod(x.shape[1:])))


class ReLU(Module):
    def forward(self, x: Tensor) -> Tensor:
        return ops.relu(x)


class Sigmoid(Module):
    def forward(self, x: Tensor) -> Tensor:
        return ops.sigmoid(x)


class Tanh(Module):
    def forward(self, x: Tensor) -> Tensor:
        return ops.tanh(x)


class Sequential(Module):
    """One module after the other."""

    def __init__(self, *modules: Module) -> None:
        super().__init__()
        self.modules = modules

    def forward(self, x: Any) -> Any:
        for module in self.modules:
            x = module(x)
        return x


class Residual(Module):
    """fn(x) + x."""

    def __init__(self, fn: Module) -> None:
        super().__init__()
        self.fn = fn

    def forward(self, x: Tensor) -> Tensor:
        return self.fn(x) + x


class Dropout(Module):
    """In training each element becomes 0 with probability p, the others are divided by 1 - p; else the identity."""

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"Dropout: p is the probability to drop, from 0 to below 1, got {p}")
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return x
        mask = init.randb(*x.shape, p=1 - self.p, device=x.device, dtype=x.dtype)
        return x * mask / (1 - self.p)


class SoftmaxLoss(Module):
    """Mean cross entropy of softmax(logits) and the labels y: logsumexp(row) - row[y], averaged over the batch.

    Shapes: logits (batch, classes), y (batch,) class numbers; the result has one element.
    Errors: ValueError for an empty batch, for shapes that do not belong together, and for a label out of range.
    """

    def forward(self, logits: Tensor, y: Tensor) -> Tensor:
        if logits.ndim != 2 or y.shape != logits.shape[:1]:
            raise ValueError(
                f"SoftmaxLoss: logits {logits.shape} and labels {y.shape} must have shapes (batch, classes), (batch,)"
            )
        batch, classes = logits.shape
        if batch == 0:
            raise ValueError(f"SoftmaxLoss: the batch is empty, logits have shape {logits.shape}")
        try:
            chosen = init.one_hot(classes, y, device=logits.device, dtype=logits.dtype)
        except ValueError as error:
            raise ValueError(f"SoftmaxLoss: label out of range; {error}") from None
        # BEGIN SOLUTION softmax_loss.autograd
        return -(ops.logsoftmax(logits) * chosen).sum() / batch
        # END SOLUTION softmax_loss.autograd
