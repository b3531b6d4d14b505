"""A wrong call names the operation, the shapes and the rule, in the same words on NumPy and on NDArrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from needle import ops
from needle.autograd import Tensor
from needle.backend_numpy import CPUDevice

CALLS: dict[str, tuple[Any, str]] = {
    "reshape": (lambda t: t(2, 3).reshape((4, 2)), r"reshape: \(2, 3\) has 6 elements, which do not fit \(4, 2\)"),
    "reshape to -1 twice": (lambda t: t(2, 3).reshape((-1, -1)), r"reshape: .* do not fit \(-1, -1\)"),
    "broadcast": (lambda t: t(2, 3).broadcast_to((2, 4)), r"broadcast_to: \(2, 3\) does not broadcast to \(2, 4\)"),
    "broadcast to fewer axes": (lambda t: t(2, 3).broadcast_to((3,)), r"broadcast_to: \(2, 3\) does not broadcast"),
    "add": (lambda t: t(2, 3) + t(3, 2), r"add: shapes \(2, 3\) and \(3, 2\)"),
    "maximum": (lambda t: ops.maximum(t(2), t(3)), r"maximum: shapes \(2,\) and \(3,\)"),
    "compare": (lambda t: t(2) < t(3), r"greater_equal: shapes \(3,\) and \(2,\)"),
    "matmul sizes": (lambda t: t(2, 3) @ t(2, 3), r"matmul: \(2, 3\) @ \(2, 3\): the last axis of the left"),
    "matmul ranks": (lambda t: t(3) @ t(3, 2), r"matmul: \(3,\) @ \(3, 2\): both need at least two axes"),
    "matmul batches": (lambda t: t(2, 1, 3) @ t(3, 3, 1), r"matmul: .*the batch axes do not broadcast"),
    "sum axis": (lambda t: t(2, 3).sum(2), r"summation: axis 2 is outside shape \(2, 3\), which has 2 axes"),
    "sum axis twice": (lambda t: t(2, 3).sum((1, -1)), r"summation: axes \(1, -1\) name one axis twice"),
    "max of nothing": (lambda t: t(2, 0).max(1), r"max: axes 1 of shape \(2, 0\) hold no element"),
    "mean of nothing": (lambda t: t(0, 2).mean(0), r"mean: axes 0 of shape \(0, 2\) hold no element"),
    "transpose of three": (lambda t: t(2, 3).transpose((0, 1, 2)), r"transpose: swaps two axes"),
    "transpose of one axis": (lambda t: t(3).transpose(), r"transpose: shape \(3,\) has fewer than two axes"),
    "permute": (lambda t: ops.permute(t(2, 3), (0, 0)), r"permute: axes \(0, 0\) name one axis twice"),
    "permute with too few": (lambda t: ops.permute(t(2, 3), (0,)), r"permute: axes \(0,\) must name each axis"),
    "stack": (lambda t: ops.stack([t(2), t(3)], 0), r"stack: shapes must be equal, but 1 has \(3,\), not \(2,\)"),
    "stack of nothing": (lambda t: ops.stack([], 0), r"stack: there must be at least one"),
    "split axis": (lambda t: ops.split(t(2), 1), r"split: axis 1 is outside shape \(2,\)"),
    "pad": (lambda t: ops.pad(t(2), [(1, -1)]), r"pad: shape \(2,\) needs one \(before, after\) pair"),
    "crop": (lambda t: ops.crop(t(2), [(2, 1)]), r"crop: \(\(2, 1\),\) takes more than shape \(2,\) has"),
    "dilate": (lambda t: ops.dilate(t(2), 0, -1), r"dilate: dilation must not be negative, got -1"),
    "conv channels": (lambda t: ops.conv(t(1, 4, 4, 2), t(3, 3, 3, 1)), r"conv: .* 2 channels, but the kernel takes 3"),
    "conv size": (lambda t: ops.conv(t(1, 2, 2, 1), t(5, 5, 1, 1)), r"conv: .* kernel is larger than the image"),
    "conv rank": (lambda t: ops.conv(t(4, 4, 1), t(3, 3, 1, 1)), r"conv: .* both need four axes"),
    "conv stride": (lambda t: ops.conv(t(1, 4, 4, 1), t(3, 3, 1, 1), stride=0), r"conv: stride must be at least 1"),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call_names_the_op_the_shapes_and_the_rule(name: str, device: Any) -> None:
    call, words = CALLS[name]
    for where in (CPUDevice(), device):
        with pytest.raises(ValueError, match=words):
            call(lambda *shape, where=where: Tensor(np.ones(shape, "float32"), device=where))


def test_an_axis_that_is_no_int_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="summation: an axis must be an int, not 0.5"):
        Tensor([1.0]).sum(0.5)


def test_a_tensor_power_needs_a_backend_that_has_it(device: Any) -> None:
    x = Tensor([2.0, 3.0], device=device)
    if hasattr(device, "ewise_power"):
        np.testing.assert_allclose((x**x).numpy(), [4, 27], rtol=1e-6)
    else:
        with pytest.raises(NotImplementedError, match=f"power: {device.name}.. has no ewise_power; use a number"):
            x**x


def test_zero_size_arrays_go_through(device: Any) -> None:
    for where in (CPUDevice(), device):
        x = Tensor(np.zeros((0, 3), "float32"), device=where)
        y = ops.relu(x * 2 + 1) @ Tensor(np.ones((3, 2), "float32"), device=where)
        assert y.shape == (0, 2)
        total = y.sum(axes=0)
        np.testing.assert_array_equal(total.numpy(), [0, 0])
        total.backward()
        assert x.grad.shape == (0, 3)
        assert x.sum(axes=1).shape == (0,) and x.max(axes=1).shape == (0,)
