"""Convolution layer on images (N, channels, H, W)."""

from __future__ import annotations

import math
from typing import Any

from .. import init, ops
from ..autograd import Tensor
from .module import Module, Parameter


def _one(op: str, value: Any) -> int:
    first = value[0] if isinstance(value, (tuple, list)) else value
    if not isinstance(first, int) or first < 1:
        raise ValueError(f"Conv: {op} must be an int from 1 up, got {value!r}")
    return first


class Conv(Module):
    """Convolution with padding k // 2: with stride 1 and odd k the image keeps its size.

    Shapes: (N, in, H, W) to (N, out, H', W'); weight (k, k, in, out), bias (out,), drawn in this order.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        bias: bool = True,
        device: Any = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = k = _one("kernel_size", kernel_size)
        self.stride = _one("stride", stride)
        self.weight = Parameter(
            init.kaiming_uniform(
                k * k * in_channels,
                k * k * out_channels,
                shape=(k, k, in_channels, out_channels),
                device=device,
                dtype=dtype,
            )
        )
        self.bias = None
        if bias:
            bound = 1 / math.sqrt(in_channels * k * k)
            self.bias = Parameter(init.rand(out_channels, low=-bound, high=bound, device=device, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        if x.ndim != 4 or x.shape[1] != self.in_channels:
            raise ValueError(f"Conv: the input has shape {x.shape}, but needs (N, {self.in_channels}, H, W)")
        channels_last = x.transpose((1, 2)).transpose((2, 3))
        y = ops.conv(channels_last, self.weight, stride=self.stride, padding=self.kernel_size // 2)
        if self.bias is not None:
            y = y + self.bias.broadcast_to(y.shape)
        return y.transpose((2, 3)).transpose((1, 2))
