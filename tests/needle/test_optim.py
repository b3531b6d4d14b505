"""Optimisers: the formulas step by step, skipped and shared parameters, clipping, and memory."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from needle import autograd, nn, optim
from needle.autograd import Tensor
from needle.backend_numpy import CPUDevice


def parameter(values: Any, device: Any = None) -> nn.Parameter:
    return nn.Parameter(np.asarray(values, dtype="float32"), device=device or CPUDevice())


def gradient(step: int) -> np.ndarray:
    return np.array([1.0, -2.0, 0.5]) * (1 + 0.3 * step)


def run(optimizer: optim.Optimizer, p: nn.Parameter, steps: int) -> np.ndarray:
    for step in range(steps):
        p.grad = Tensor(gradient(step).astype("float32"), device=p.device, dtype="float32")
        optimizer.step()
    return p.numpy()


@pytest.mark.parametrize("momentum", [0.0, 0.9])
@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_sgd_follows_its_formula(momentum: float, decay: float, device: Any) -> None:
    for where in (CPUDevice(), device):
        p = parameter([1, 2, 3], where)
        have = run(optim.SGD([p], lr=0.1, momentum=momentum, weight_decay=decay), p, 4)
        want, u = np.array([1.0, 2, 3]), np.zeros(3)
        for step in range(4):
            u = momentum * u + (1 - momentum) * (gradient(step) + decay * want)
            want = want - 0.1 * u
        np.testing.assert_allclose(have, want, rtol=1e-6)
        assert p.dtype == "float32"


@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_adam_follows_its_formula_with_eps_outside_the_root(decay: float, device: Any) -> None:
    for where in (CPUDevice(), device):
        p = parameter([1, 2, 3], where)
        optimizer = optim.Adam([p], lr=0.1, beta1=0.8, beta2=0.95, eps=0.1, weight_decay=decay)
        have = run(optimizer, p, 4)
        want, m, v = np.array([1.0, 2, 3]), np.zeros(3), np.zeros(3)
        for t in range(1, 5):
            g = gradient(t - 1) + decay * want
            m, v = 0.8 * m + 0.2 * g, 0.95 * v + 0.05 * g**2
            want = want - 0.1 * (m / (1 - 0.8**t)) / (np.sqrt(v / (1 - 0.95**t)) + 0.1)
        np.testing.assert_allclose(have, want, rtol=1e-6)
        assert optimizer.t == 4 and p in optimizer.m and p in optimizer.v


OPTIMIZERS = {
    "SGD": lambda params: optim.SGD(params, lr=0.1),
    "SGD with momentum": lambda params: optim.SGD(params, lr=0.1, momentum=0.9, weight_decay=0.1),
    "Adam": lambda params: optim.Adam(params, lr=0.1, weight_decay=0.1),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_parameters_without_gradient_stay_and_others_move(name: str) -> None:
    p, q = parameter([1, 1]), parameter([1, 1])
    optimizer = OPTIMIZERS[name]([p, q])
    (p * p).sum().backward()
    kept = p.grad.numpy()
    optimizer.step()
    assert (p.numpy() < 1).all()
    np.testing.assert_array_equal(q.numpy(), [1, 1])
    np.testing.assert_array_equal(p.grad.numpy(), kept)
    optimizer.reset_grad()
    assert p.grad is None and q.grad is None
    optimizer.step()


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_parameter_that_is_listed_twice_is_changed_once(name: str) -> None:
    once, twice = parameter([1, 2, 3]), parameter([1, 2, 3])
    np.testing.assert_array_equal(
        run(OPTIMIZERS[name]([once]), once, 3), run(OPTIMIZERS[name]([twice, twice]), twice, 3)
    )


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_float64_gradient_leaves_parameters_float32(name: str) -> None:
    p = parameter([1, 2, 3])
    optimizer = OPTIMIZERS[name]([p])
    for step in range(3):
        p.grad = Tensor(gradient(step), device=CPUDevice(), dtype="float64")
        optimizer.step()
    assert p.dtype == np.float32


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_the_number_of_live_tensors_is_flat_over_steps(name: str) -> None:
    model = nn.Sequential(nn.Linear(3, 4, device=CPUDevice()), nn.ReLU(), nn.Linear(4, 1, device=CPUDevice()))
    optimizer = OPTIMIZERS[name](model.parameters())
    x = Tensor(np.ones((2, 3), "float32"), device=CPUDevice())
    counts = []
    for _ in range(8):
        optimizer.reset_grad()
        model(x).sum().backward()
        optimizer.step()
        gc.collect()
        counts.append(autograd.TENSOR_COUNTER)
    assert counts[-1] == counts[2]


def test_clip_grad_norm_scales_all_gradients_by_one_factor(device: Any) -> None:
    p, q, unused = parameter([0, 0], device), parameter([0], device), parameter([0], device)
    optimizer = optim.SGD([p, q, unused])
    p.grad, q.grad = Tensor([3.0, 0.0], device=device), Tensor([4.0], device=device)
    assert optimizer.clip_grad_norm(10) == pytest.approx(5)
    np.testing.assert_array_equal(p.grad.numpy(), [3, 0])
    assert optimizer.clip_grad_norm(1) == pytest.approx(5)
    np.testing.assert_allclose(p.grad.numpy(), [0.6, 0], rtol=1e-6)
    np.testing.assert_allclose(q.grad.numpy(), [0.8], rtol=1e-6)
    assert unused.grad is None


def test_parameters_on_two_devices_are_refused(device: Any) -> None:
    with pytest.raises(ValueError, match="Adam: parameters must be on one device, but parameter 0 is on needle.cpu"):
        optim.Adam([parameter([1]), parameter([1], device)])
    with pytest.raises(TypeError, match="SGD: parameter 0 is a str, no Tensor"):
        optim.SGD(["weight"])  # type: ignore[list-item]


def test_a_gradient_of_another_shape_or_device_is_refused_and_nothing_moves(device: Any) -> None:
    for grad in (Tensor([1.0, 2.0], device=device), Tensor([1.0], device=CPUDevice(), dtype="float32")):
        p = parameter([1], device)
        p.grad = grad
        with pytest.raises(ValueError, match="SGD: the gradient has shape .* but its parameter"):
            optim.SGD([p]).step()
        np.testing.assert_array_equal(p.numpy(), [1])
