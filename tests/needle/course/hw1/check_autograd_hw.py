"""Homework 1 as its tests use the library: float64 on NumPy, lists as input, ops by class and by function."""

import sys

import numpy as np
import pytest

sys.path.append("./python")
sys.path.append("./apps")
import mugrade  # noqa: F401
from simple_ml import *  # noqa: F403

import needle as ndl

FORWARD = [
    (lambda a, b: ndl.add(a, b), lambda a, b: a + b, [(3, 4), (3, 4)]),
    (lambda a, b: ndl.multiply(a, b), lambda a, b: a * b, [(3, 4), (3, 4)]),
    (lambda a, b: ndl.divide(a, b), lambda a, b: a / b, [(3, 4), (3, 4)]),
    (lambda a: ndl.power_scalar(a, scalar=2), lambda a: a**2, [(3, 1)]),
    (lambda a: ndl.divide_scalar(a, scalar=np.array([0.5])), lambda a: a / 0.5, [(3, 1)]),
    (lambda a: ndl.add_scalar(a, 1.5), lambda a: a + 1.5, [(3,)]),
    (lambda a: ndl.mul_scalar(a, -2), lambda a: a * -2, [(3,)]),
    (lambda a: ndl.negate(a), lambda a: -a, [(1, 3)]),
    (lambda a: ndl.exp(a), np.exp, [(2, 3)]),
    (lambda a: ndl.relu(a), lambda a: np.maximum(a, 0), [(4, 3)]),
    (lambda a, b: ndl.matmul(a, b), lambda a, b: a @ b, [(3, 3), (3, 2)]),
    (lambda a, b: ndl.matmul(a, b), lambda a, b: a @ b, [(6, 6, 5, 4), (4, 3)]),
    (lambda a, b: ndl.matmul(a, b), lambda a, b: a @ b, [(5, 4), (6, 6, 4, 3)]),
    (lambda a, b: ndl.matmul(a, b), lambda a, b: a @ b, [(3, 2, 1), (3, 3, 1, 2)]),
    (lambda a: ndl.summation(a), lambda a: a.sum(), [(2, 4)]),
    (lambda a: ndl.summation(a, axes=1), lambda a: a.sum(1), [(2, 4)]),
    (lambda a: ndl.summation(a, axes=(0, 2)), lambda a: a.sum((0, 2)), [(2, 4, 3)]),
    (lambda a: ndl.broadcast_to(a, shape=(3, 3)), lambda a: np.broadcast_to(a, (3, 3)), [(1, 3)]),
    (lambda a: ndl.broadcast_to(a, shape=(2, 3)), lambda a: np.broadcast_to(a, (2, 3)), [()]),
    (lambda a: ndl.reshape(a, shape=(5, 3)), lambda a: a.reshape(5, 3), [(3, 5)]),
    (lambda a: ndl.transpose(a, axes=(1, 2)), lambda a: a.swapaxes(1, 2), [(3, 2, 4)]),
    (lambda a: ndl.transpose(a), lambda a: a.swapaxes(-1, -2), [(3, 2, 4)]),
    (lambda a, b: ndl.power(abs_of(a), b), lambda a, b: np.abs(a) ** b, [(1, 3), (3,)]),
]


def abs_of(a):
    return ndl.power_scalar(ndl.power_scalar(a, 2), 0.5)


@pytest.mark.parametrize("ours, numpys, shapes", FORWARD)
def test_forward_and_gradient_in_float64(ours, numpys, shapes):
    np.random.seed(0)
    arrays = [np.asarray(np.random.randn(*shape)) for shape in shapes]
    tensors = [ndl.Tensor(array) for array in arrays]
    out = ours(*tensors)
    np.testing.assert_allclose(out.numpy(), numpys(*arrays))
    c = np.random.randn(*out.shape)
    (out * ndl.Tensor(c)).sum().backward()
    for i, array in enumerate(arrays):
        slope = np.zeros(array.shape)
        for index in np.ndindex(*array.shape):
            ends = []
            for sign in (1, -1):
                moved = [np.array(other) for other in arrays]
                moved[i][index] += sign * 1e-5
                ends.append(float((numpys(*moved) * c).sum()))
            slope[index] = (ends[0] - ends[1]) / 2e-5
        assert tensors[i].grad.numpy().shape == array.shape
        np.testing.assert_allclose(tensors[i].grad.numpy(), slope, rtol=1e-6, atol=1e-6)


def test_lists_become_float64_and_int64():
    assert ndl.Tensor([1.0, 2.0]).dtype == np.float64
    assert ndl.Tensor([6]).dtype == np.int64
    assert isinstance(ndl.Tensor([6]).realize_cached_data(), np.ndarray)
    assert ndl.Tensor([1.0]).device == ndl.cpu() and repr(ndl.cpu()) == "needle.cpu()"
    assert not hasattr(ndl, "cuda")


def test_topo_sort():
    a, b = ndl.Tensor(np.asarray([[0.88]])), ndl.Tensor(np.asarray([[0.9]]))
    c = 3 * a * a + 4 * b * a - a
    order = [float(node.numpy()[0, 0]) for node in ndl.autograd.find_topo_sort([c])]
    x, y = 0.88, 0.9
    want = [x, 3 * x, 3 * x * x, y, 4 * y, 4 * y * x, 3 * x * x + 4 * y * x, -x, 3 * x * x + 4 * y * x - x]
    np.testing.assert_allclose(order, want)


def test_gradient_of_gradient_of_integers():
    x2, x3 = ndl.Tensor([6]), ndl.Tensor([0])
    y = x2 * x2 + x2 * x3
    y.backward()
    grad_x2, grad_x3 = x2.grad, x3.grad
    np.testing.assert_array_equal([grad_x2.numpy()[0], grad_x3.numpy()[0]], [12, 6])
    grad_x2.backward()
    np.testing.assert_array_equal([x2.grad.numpy()[0], x3.grad.numpy()[0]], [2, 1])
    grad_x3.backward()
    np.testing.assert_array_equal(x2.grad.numpy(), [1])


def test_softmax_loss_mixes_float32_logits_with_a_float64_one_hot():
    Z = ndl.Tensor(np.zeros((50, 10)).astype(np.float32))
    y = np.arange(50) % 10
    one_hot = np.zeros((50, 10))
    one_hot[np.arange(50), y] = 1
    loss = softmax_loss(Z, ndl.Tensor(one_hot))  # noqa: F405
    np.testing.assert_allclose(loss.numpy(), np.log(10), rtol=1e-6)
    loss.backward()
    np.testing.assert_allclose(Z.grad.numpy(), (0.1 - one_hot) / 50, rtol=1e-5)


def test_nn_epoch_is_gradient_descent():
    np.random.seed(0)
    X, y = np.random.randn(50, 5).astype(np.float32), np.random.randint(3, size=(50,)).astype(np.uint8)
    W1, W2 = np.random.randn(5, 10).astype(np.float32) / np.sqrt(10), np.random.randn(10, 3).astype(np.float32)
    ours = nn_epoch(X, y, ndl.Tensor(W1), ndl.Tensor(W2), lr=1.0, batch=50)  # noqa: F405
    hidden = np.maximum(X @ W1, 0).astype(np.float64)
    e = np.exp(hidden @ W2)
    G2 = (e / e.sum(1, keepdims=True) - np.eye(3)[y]) / 50
    G1 = (hidden > 0) * (G2 @ W2.T)
    np.testing.assert_allclose(ours[0].numpy(), W1 - X.T @ G1, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(ours[1].numpy(), W2 - hidden.T @ G2, rtol=1e-4, atol=1e-5)
    before = loss_err(ndl.relu(ndl.Tensor(X) @ ndl.Tensor(W1)) @ ndl.Tensor(W2), y)[0]  # noqa: F405
    assert loss_err(ndl.relu(ndl.Tensor(X) @ ours[0]) @ ours[1], y)[0] < before  # noqa: F405
