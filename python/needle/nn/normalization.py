"""Normalisation: over the batch (Ioffe and Szegedy 2015), and over the features (Ba and others 2016)."""

from __future__ import annotations

from typing import Any

from .. import init
from ..autograd import Tensor, no_grad
from .module import Module, Parameter


def _check(layer: str, x: Tensor, dim: int) -> None:
    if x.ndim != 2 or x.shape[1] != dim:
        raise ValueError(f"{layer}: the input has shape {x.shape}, but needs (batch, {dim})")
    if x.shape[0] == 0:
        raise ValueError(f"{layer}: the batch is empty, the input has shape {x.shape}")


class BatchNorm1d(Module):
    """(x - mean) / √(variance + eps) · weight + bias, with mean and variance over the batch.

    Training updates running_mean and running_var (with the biased variance); evaluation uses them instead.
    Shapes: (batch, dim) to (batch, dim).
    """

    def __init__(
        self, dim: int, eps: float = 1e-5, momentum: float = 0.1, device: Any = None, dtype: Any = "float32"
    ) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.momentum = momentum
        self.weight = Parameter(init.ones(dim, device=device, dtype=dtype))
        self.bias = Parameter(init.zeros(dim, device=device, dtype=dtype))
        self.running_mean = init.zeros(dim, device=device, dtype=dtype)
        self.running_var = init.ones(dim, device=device, dtype=dtype)

    def forward(self, x: Tensor) -> Tensor:
        _check(type(self).__name__, x, self.dim)
        if self.training:
            mean = x.mean(axes=0)
            centered = x - mean.broadcast_to(x.shape)
            variance = (centered * centered).mean(axes=0)
            self._remember(mean, variance)
        else:
            centered = x - self.running_mean.broadcast_to(x.shape)
            variance = self.running_var
        scale = self.weight / (variance + self.eps) ** 0.5  # on (dim,) rather than on the whole batch
        return centered * scale.broadcast_to(x.shape) + self.bias.broadcast_to(x.shape)

    def _remember(self, mean: Tensor, variance: Tensor) -> None:
        with no_grad():  # otherwise each batch's graph would hang on the next
            self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * mean
            self.running_var = (1 - self.momentum) * self.running_var + self.momentum * variance


class BatchNorm2d(BatchNorm1d):
    """BatchNorm1d over the channels of images (N, C, H, W): each pixel counts as one row."""

    def forward(self, x: Tensor) -> Tensor:
        if x.ndim != 4:
            raise ValueError(f"BatchNorm2d: the input has shape {x.shape}, but needs (N, {self.dim}, H, W)")
        n, channels, height, width = x.shape
        rows = x.transpose((1, 2)).transpose((2, 3)).reshape((n * height * width, channels))
        y = super().forward(rows).reshape((n, height, width, channels))
        return y.transpose((2, 3)).transpose((1, 2))


class LayerNorm1d(Module):
    """(x - mean) / √(variance + eps) · weight + bias, with mean and biased variance over each row.

    Shapes: (batch, dim) to (batch, dim).
    """

    def __init__(self, dim: int, eps: float = 1e-5, device: Any = None, dtype: Any = "float32") -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.weight = Parameter(init.ones(dim, device=device, dtype=dtype))
        self.bias = Parameter(init.zeros(dim, device=device, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        _check("LayerNorm1d", x, self.dim)
        batch = x.shape[0]
        mean = x.mean(axes=1).reshape((batch, 1))
        centered = x - mean.broadcast_to(x.shape)
        variance = (centered * centered).mean(axes=1).reshape((batch, 1))
        normal = centered / ((variance + self.eps) ** 0.5).broadcast_to(x.shape)
        return normal * self.weight.broadcast_to(x.shape) + self.bias.broadcast_to(x.shape)
