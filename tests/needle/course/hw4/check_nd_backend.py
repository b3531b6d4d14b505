"""Homework 4, tensors on NDArrays: forward against NumPy, gradients by `.flat` and gradient_as_tuple."""

import sys

sys.path.append("./python")
import mugrade  # noqa: F401
import numpy as np
import pytest

import needle as ndl
from needle import backend_ndarray as nd

np.random.seed(1)

_DEVICES = [
    ndl.cpu_numpy(),
    pytest.param(ndl.cpu(), marks=pytest.mark.skipif(not ndl.cpu().enabled(), reason="no cpu module")),
    pytest.param(ndl.cuda(), marks=pytest.mark.skipif(not ndl.cuda().enabled(), reason="No GPU")),
]
devices = pytest.mark.parametrize("device", _DEVICES, ids=["cpu_numpy", "cpu", "cuda"])


def tensor(array, device):
    return ndl.Tensor(nd.array(array, device=device), device=device)


def backward_check(f, *args, **kwargs):
    eps = 1e-2  # float32: smaller steps measure rounding
    out = f(*args, **kwargs)
    c = np.random.randn(*out.shape)
    numerical = [np.zeros(a.shape) for a in args]
    for i in range(len(args)):
        for j in range(args[i].realize_cached_data().size):
            args[i].realize_cached_data().flat[j] += eps
            f1 = (f(*args, **kwargs).numpy() * c).sum()
            args[i].realize_cached_data().flat[j] -= 2 * eps
            f2 = (f(*args, **kwargs).numpy() * c).sum()
            args[i].realize_cached_data().flat[j] += eps
            numerical[i].flat[j] = (f1 - f2) / (2 * eps)
    backward = out.op.gradient_as_tuple(ndl.Tensor(c, device=args[0].device), out)
    for have, want in zip(backward, numerical, strict=True):
        np.testing.assert_allclose(have.numpy(), want, rtol=2e-2, atol=2e-2)


EWISE = {
    "divide": lambda a, b: a / b,
    "subtract": lambda a, b: a - b,
    "add": lambda a, b: a + b,
    "multiply": lambda a, b: a * b,
}


@devices
@pytest.mark.parametrize("shape", [(1, 1, 1), (4, 5, 6)])
@pytest.mark.parametrize("name", EWISE)
def test_ewise_and_scalar(name, shape, device):
    _A, _B = (np.random.randn(*shape).astype(np.float32) for _ in range(2))
    A, B = tensor(_A, device), tensor(_B, device)
    np.testing.assert_allclose(EWISE[name](_A, _B), EWISE[name](A, B).numpy(), atol=1e-5, rtol=1e-5)
    np.testing.assert_allclose(EWISE[name](_A, 0.7), EWISE[name](A, 0.7).numpy(), atol=1e-5, rtol=1e-5)


@devices
@pytest.mark.parametrize("m, n, p", [(8, 8, 8), (5, 3, 4), (17, 9, 33)])
def test_matmul(m, n, p, device):
    _A, _B = np.random.randn(m, n).astype(np.float32), np.random.randn(n, p).astype(np.float32)
    np.testing.assert_allclose(_A @ _B, (tensor(_A, device) @ tensor(_B, device)).numpy(), atol=1e-5, rtol=1e-5)


@devices
@pytest.mark.parametrize("fn", ["log", "exp", "relu", "tanh"])
def test_unary(fn, device):
    _A = np.random.randn(4, 5).astype(np.float32) + 5.0
    want = {"log": np.log, "exp": np.exp, "tanh": np.tanh, "relu": lambda a: np.maximum(a, 0)}[fn](_A)
    np.testing.assert_allclose(getattr(ndl, fn)(tensor(_A, device)).numpy(), want, atol=1e-5, rtol=1e-5)


@devices
@pytest.mark.parametrize("shape, axis", [((1, 1, 1), 0), ((3, 4), None), ((3, 4), 1), ((3, 5, 2), (0, 2))])
def test_summation_and_logsumexp(shape, axis, device):
    _A = np.random.randn(*shape).astype(np.float32)
    A = tensor(_A, device)
    np.testing.assert_allclose(np.sum(_A, axis=axis), ndl.summation(A, axes=axis).numpy(), atol=1e-5, rtol=1e-5)
    want = np.log(np.exp(_A).sum(axis=axis))
    np.testing.assert_allclose(want, ndl.logsumexp(A, axes=axis).numpy(), atol=1e-5, rtol=1e-5)
    backward_check(ndl.summation, A, axes=axis)
    backward_check(ndl.logsumexp, A, axes=axis)


@devices
def test_broadcast_reshape_transpose(device):
    _A = np.random.randn(4, 1, 6).astype(np.float32)
    A = tensor(_A, device)
    np.testing.assert_array_equal(ndl.broadcast_to(A, (2, 4, 3, 6)).numpy(), np.broadcast_to(_A, (2, 4, 3, 6)))
    np.testing.assert_array_equal(
        ndl.reshape(ndl.transpose(A, (0, 2)), (8, 3)).numpy(), _A.swapaxes(0, 2).reshape(8, 3)
    )
    backward_check(ndl.broadcast_to, A, shape=(4, 3, 6))
    backward_check(ndl.transpose, A, axes=(0, 2))
    backward_check(ndl.reshape, A, shape=(2, 12))


@devices
@pytest.mark.parametrize("shape, axis, count", [((5, 5), 0, 1), ((5, 5), 1, 2), ((1, 5, 7), 2, 3)])
def test_stack_and_its_backward(shape, axis, count, device):
    _A = [np.random.randn(*shape).astype(np.float32) for _ in range(count)]
    A = [tensor(a, device) for a in _A]
    out = ndl.stack(A, axis=axis)
    np.testing.assert_array_equal(np.stack(_A, axis=axis), out.numpy())
    out.sum().backward()
    for a in A:
        np.testing.assert_array_equal(a.grad.numpy(), np.ones(shape))


@devices
@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1), (1, 2)])
def test_flip(axes, device):
    _A = np.random.randn(3, 4, 2).astype(np.float32)
    A = tensor(_A, device)
    np.testing.assert_array_equal(ndl.flip(A, axes=axes).numpy(), np.flip(_A, axes))
    backward_check(ndl.flip, A, axes=axes)


@devices
@pytest.mark.parametrize("d, axes", [(0, (0,)), (1, (0,)), (1, (0, 1)), (2, (1,)), (1, (2,))])
def test_dilate(d, axes, device):
    _A = np.random.randint(1, 10, size=(2, 5)).astype(np.float32)
    A = tensor(_A, device)
    have = ndl.dilate(A, dilation=d, axes=axes).numpy()
    want = np.zeros([n * (d + 1 if k in axes else 1) for k, n in enumerate(_A.shape)])
    want[tuple(slice(None, None, d + 1 if k in axes else 1) for k in range(2))] = _A
    np.testing.assert_array_equal(have, want)
    backward_check(ndl.dilate, A, dilation=d, axes=axes)


CONV = [((3, 8, 8, 2), (3, 3, 2, 3), 1, 0), ((3, 8, 8, 2), (3, 3, 2, 3), 2, 1), ((2, 7, 7, 1), (3, 3, 1, 2), 1, 2)]


@devices
@pytest.mark.parametrize("Z_shape, W_shape, stride, padding", CONV)
@pytest.mark.parametrize("backward", [True, False], ids=["backward", "forward"])
def test_op_conv(Z_shape, W_shape, stride, padding, backward, device):
    _Z, _W = (np.random.randn(*shape).astype(np.float32) for shape in (Z_shape, W_shape))
    Z, W = tensor(_Z, device), tensor(_W, device)
    y = ndl.conv(Z, W, padding=padding, stride=stride)
    if not backward:
        P = np.pad(_Z, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
        V = np.lib.stride_tricks.sliding_window_view(P, W_shape[:2], axis=(1, 2))[:, ::stride, ::stride]
        np.testing.assert_allclose(y.numpy(), np.einsum("nijckl,klco->nijo", V, _W), rtol=1e-4, atol=1e-4)
        return
    c = np.random.randn(*y.shape).astype(np.float32)
    y.backward(tensor(c, device))
    for array, grad in ((_Z, Z.grad), (_W, W.grad)):  # conv is linear in each argument: one direction tells all
        direction = np.random.randn(*array.shape).astype(np.float32)
        moved = (direction, _W) if array is _Z else (_Z, direction)
        slope = (ndl.conv(*(tensor(a, device) for a in moved), padding=padding, stride=stride).numpy() * c).sum()
        np.testing.assert_allclose((grad.numpy() * direction).sum(), slope, rtol=1e-3, atol=1e-2)


@devices
def test_kaiming_uniform_with_shape(device):
    np.random.seed(0)
    A = ndl.init.kaiming_uniform(16 * 9, 32 * 9, shape=(3, 3, 16, 32), device=device)
    np.random.seed(0)
    want = (np.random.rand(3, 3, 16, 32) * 2 - 1) * np.sqrt(2) * np.sqrt(3 / 144)
    np.testing.assert_allclose(A.numpy(), want, rtol=1e-4, atol=1e-6)


def test_default_device_and_names():
    assert str(ndl.cpu()) == "cpu()" and str(ndl.default_device()) == "cpu_numpy()"
    assert ndl.Tensor([1, 2]).dtype == "float32" and ndl.Tensor([1, 2]).device == ndl.default_device()
