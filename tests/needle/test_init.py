"""First values: shapes, bounds, moments, and the order of random draws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from needle import init
from needle.autograd import Tensor
from needle.backend_numpy import CPUDevice


def test_every_random_tensor_is_one_draw_of_numpys_global_generator_with_its_whole_shape(device: Any) -> None:
    for where in (CPUDevice(), device):
        np.random.seed(3)
        uniform, normal = init.rand(2, 3, low=-1, high=3, device=where), init.randn(4, mean=1, std=2, device=where)
        bits = init.randb(5, p=0.3, device=where, dtype="float32")
        np.random.seed(3)
        np.testing.assert_allclose(uniform.numpy(), np.random.rand(2, 3) * 4 - 1, atol=1e-6)
        np.testing.assert_allclose(normal.numpy(), np.random.randn(4) * 2 + 1, atol=1e-6)
        np.testing.assert_array_equal(bits.numpy(), np.random.rand(5).astype("float32") <= 0.3)


def test_constants_have_shape_dtype_device_and_no_gradient(device: Any) -> None:
    for where in (CPUDevice(), device):
        for tensor, value in (
            (init.ones(2, 3, device=where), 1),
            (init.zeros(2, 3, device=where), 0),
            (init.constant(2, 3, c=2.5, device=where), 2.5),
            (init.ones_like(init.rand(2, 3, device=where)), 1),
            (init.zeros_like(init.rand(2, 3, device=where)), 0),
        ):
            np.testing.assert_array_equal(tensor.numpy(), np.full((2, 3), value, "float32"))
            assert tensor.dtype == "float32" and tensor.device == where and not tensor.requires_grad


def test_a_tensor_without_axes_can_be_drawn(device: Any) -> None:
    for where in (CPUDevice(), device):
        assert init.rand(device=where).shape == () == init.randn(device=where).shape


def test_one_hot_puts_a_one_at_each_index_of_any_shape(device: Any) -> None:
    for where in (CPUDevice(), device):
        index = Tensor([[0, 2], [1, 1]], device=where)
        np.testing.assert_array_equal(init.one_hot(3, index, device=where).numpy(), np.eye(3)[[[0, 2], [1, 1]]])


@pytest.mark.parametrize("wrong, words", [(3, "3 at place"), (-1, "-1 at place"), (0.5, "0.5 at place")])
def test_one_hot_names_a_wrong_index_and_its_place(wrong: float, words: str, device: Any) -> None:
    with pytest.raises(ValueError, match=rf"one_hot: index {words} \(1, 0\) must be a whole number from 0 to 2"):
        init.one_hot(3, Tensor([[0.0, 1.0], [wrong, 1.0]], device=device), device=device)


RULES = {
    "xavier_uniform": (init.xavier_uniform, {"gain": 1.5}, 1.5 * math.sqrt(6 / 500) / math.sqrt(3), "uniform"),
    "xavier_normal": (init.xavier_normal, {"gain": 0.5}, 0.5 * math.sqrt(2 / 500), "normal"),
    "kaiming_uniform": (init.kaiming_uniform, {}, math.sqrt(2 / 200), "uniform"),
    "kaiming_normal": (init.kaiming_normal, {}, math.sqrt(2 / 200), "normal"),
}


@pytest.mark.parametrize("name", RULES)
def test_initialisers_have_the_spread_of_their_formula(name: str) -> None:
    function, extra, deviation, kind = RULES[name]
    np.random.seed(0)
    weight = function(200, 300, device=CPUDevice(), **extra).numpy()
    assert weight.shape == (200, 300) and weight.dtype == np.float32
    assert abs(weight.mean()) < 4 * deviation / math.sqrt(weight.size)
    assert weight.std() == pytest.approx(deviation, rel=0.02)
    highest = np.abs(weight).max() / deviation
    assert 1.7 < highest <= math.sqrt(3) + 1e-6 if kind == "uniform" else highest > 3


def test_kaiming_uniform_with_a_shape_takes_its_bound_from_fan_in() -> None:
    np.random.seed(0)
    weight = init.kaiming_uniform(3 * 3 * 8, 5, shape=(3, 3, 8, 16), device=CPUDevice()).numpy()
    assert weight.shape == (3, 3, 8, 16)
    assert 0.98 < np.abs(weight).max() / math.sqrt(6 / 72) <= 1


def test_kaiming_knows_relu_only() -> None:
    for function in (init.kaiming_uniform, init.kaiming_normal):
        with pytest.raises(ValueError, match="kaiming: only the gain of relu is known, not of 'tanh'"):
            function(2, 2, nonlinearity="tanh")
