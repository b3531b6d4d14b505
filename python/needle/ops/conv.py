"""Convolution of images (N, H, W, channels) with a kernel (K, K, channels in, channels out).

Every window of the image becomes one row of a matrix ("im2col"), so the work is one matrix product.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array_kind import Array, is_numpy
from ..autograd import Tensor, TensorOp
from . import arrays
from .setitem import crop, dilate, pad
from .views import flip, permute


def output_length(length: int, kernel: int, stride: int, padding: int) -> int:
    return (length + 2 * padding - kernel) // stride + 1


class Conv(TensorOp):
    """Zero padding on both sides of H and W, then one product per window; windows start `stride` apart."""

    name = "conv"

    def __init__(self, stride: int = 1, padding: int = 0):
        if stride < 1 or padding < 0:
            raise ValueError(f"conv: stride must be at least 1 and padding at least 0, got {stride} and {padding}")
        self.stride = stride
        self.padding = padding

    def check(self, a: Array, b: Array) -> None:
        shapes = f"conv: image {tuple(a.shape)} and kernel {tuple(b.shape)}"
        if a.ndim != 4 or b.ndim != 4:
            raise ValueError(
                f"{shapes}: both need four axes, (N, H, W, channels) and (K, K, channels in, channels out)"
            )
        if a.shape[3] != b.shape[2]:
            raise ValueError(f"{shapes}: the image has {a.shape[3]} channels, but the kernel takes {b.shape[2]}")
        if min(a.shape[1] - b.shape[0], a.shape[2] - b.shape[1]) + 2 * self.padding < 0:
            raise ValueError(f"{shapes}: the kernel is larger than the image with padding {self.padding}")

    def compute(self, a: Array, b: Array) -> Array:
        self.check(a, b)
        n, height, width, channels = a.shape
        kernel_h, kernel_w, _, channels_out = b.shape
        out_h = output_length(height, kernel_h, self.stride, self.padding)
        out_w = output_length(width, kernel_w, self.stride, self.padding)
        padded = arrays.compact(self._padded(a))
        rows = windows(padded, (n, out_h, out_w, kernel_h, kernel_w, channels), self.stride)
        rows = arrays.reshape(rows, (n * out_h * out_w, kernel_h * kernel_w * channels))
        kernel = arrays.reshape(b, (kernel_h * kernel_w * channels, channels_out))
        return arrays.reshape(rows @ kernel, (n, out_h, out_w, channels_out))

    def _padded(self, a: Array) -> Array:
        if self.padding == 0:
            return a
        n, height, width, channels = a.shape
        p = self.padding
        out = arrays.full((n, height + 2 * p, width + 2 * p, channels), 0.0, a)
        out[:, p : p + height, p : p + width, :] = a
        return out

    def gradient(self, out_grad: Tensor, node: Any) -> tuple[Tensor, Tensor]:
        image, kernel = node.inputs
        kernel_h, kernel_w = kernel.shape[:2]
        # Dilation puts the gradient back to stride 1. Its zeros after the last element are cut off, and as many rows
        # as the last window left over are added: windows that do not end at the border are part of the rule.
        p, gap = self.padding, self.stride - 1
        spread = crop(dilate(out_grad, (1, 2), gap), [(0, 0), (0, gap), (0, gap), (0, 0)])
        rest_h, rest_w = (
            (length + 2 * p - size) % self.stride
            for length, size in zip(image.shape[1:3], kernel.shape[:2], strict=True)
        )
        full = pad(
            spread, [(0, 0), (kernel_h - 1, kernel_h - 1 + rest_h), (kernel_w - 1, kernel_w - 1 + rest_w), (0, 0)]
        )
        image_grad = conv(full, permute(flip(kernel, (0, 1)), (0, 1, 3, 2)), 1, 0)
        image_grad = crop(image_grad, [(0, 0), (p, p), (p, p), (0, 0)])

        kernel_grad = conv(permute(image, (3, 1, 2, 0)), permute(spread, (1, 2, 0, 3)), 1, p)
        kernel_grad = crop(kernel_grad, [(0, 0), (0, rest_h), (0, rest_w), (0, 0)])
        return image_grad, permute(kernel_grad, (1, 2, 0, 3))


def windows(a: Array, shape: tuple[int, ...], stride: int) -> Array:
    """The view of a compact image whose element (n, i, j, k, l, c) is a[n, i * stride + k, j * stride + l, c]."""
    steps = [a.strides[0], a.strides[1] * stride, a.strides[2] * stride, *a.strides[1:]]
    if is_numpy(a):
        return np.lib.stride_tricks.as_strided(a, shape, steps, writeable=False)
    return a.as_strided(shape, tuple(steps))


def conv(a: Tensor, b: Tensor, stride: int = 1, padding: int = 1) -> Tensor:
    """Convolve; the function's default padding is 1, the class's is 0, as in the course."""
    return Conv(stride, padding)(a, b)
