"""Modules and layers: parameters, draws, forward values in float64 NumPy, modes, and memory."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from needle import autograd, init, nn
from needle.autograd import Tensor
from needle.backend_numpy import CPUDevice
from tests.needle.gradient_check import check_gradients

NP: dict[str, Any] = {"device": CPUDevice()}


def t(values: Any, dtype: str = "float32") -> Tensor:
    return Tensor(np.asarray(values, dtype=dtype), device=CPUDevice())


def rows(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype("float32")


def close(have: Tensor, want: Any, atol: float = 2e-6) -> None:
    want = np.asarray(want)
    assert have.shape == want.shape and have.dtype == "float32"
    np.testing.assert_allclose(have.numpy(), want, rtol=1e-5, atol=atol)


def test_parameters_are_found_in_attribute_order_through_modules_dicts_lists_and_tuples() -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Parameter(t([1.0]))
            self.parts = {"a": [nn.Linear(1, 1, **NP)], "b": (nn.Parameter(t([2.0])), "no parameter")}
            self.plain = t([3.0])
            self.norm = nn.BatchNorm1d(1, **NP)
            self.shared = self.first

    net = Net()
    linear = net.parts["a"][0]
    found = net.parameters()
    wanted = [net.first, linear.weight, linear.bias, net.parts["b"][0], net.norm.weight, net.norm.bias, net.first]
    assert len(found) == len(wanted) and all(a is b for a, b in zip(found, wanted, strict=True))
    names = list(net.named_tensors())
    assert names[:4] == ["first", "parts.a.0.weight", "parts.a.0.bias", "parts.b.0"]
    assert {"plain", "norm.running_mean", "norm.running_var"} <= set(names)
    net.eval()
    assert not net.training and not linear.training and not net.norm.training
    net.train()
    assert net.training and linear.training


@pytest.mark.parametrize(
    "layer, with_bias",
    [
        (lambda bias: nn.Linear(2, 3, bias=bias, **NP), 2),
        (lambda bias: nn.Conv(2, 3, 3, bias=bias, **NP), 2),
        (lambda bias: nn.RNNCell(2, 3, bias=bias, **NP), 4),
        (lambda bias: nn.LSTMCell(2, 3, bias=bias, **NP), 4),
    ],
    ids=["Linear", "Conv", "RNNCell", "LSTMCell"],
)
def test_bias_false_registers_no_bias(layer: Any, with_bias: int) -> None:
    assert len(layer(True).parameters()) == with_bias
    assert len(layer(False).parameters()) == with_bias // 2
    assert all(parameter.requires_grad for parameter in layer(True).parameters())


def test_a_product_with_a_parameter_is_a_plain_tensor() -> None:
    assert type(nn.Parameter(t([1.0])) * 2) is Tensor


def test_linear_draws_weight_then_bias_and_adds_the_bias_to_every_row() -> None:
    np.random.seed(1)
    layer = nn.Linear(4, 3, **NP)
    np.random.seed(1)
    weight = init.kaiming_uniform(4, 3, **NP)
    bias = init.kaiming_uniform(3, 1, **NP)
    np.testing.assert_array_equal(layer.weight.numpy(), weight.numpy())
    np.testing.assert_array_equal(layer.bias.numpy(), bias.numpy().reshape(1, 3))
    x = rows(5, 4)
    close(layer(t(x)), x @ weight.numpy() + bias.numpy().reshape(1, 3))
    close(layer(t(x.reshape(1, 5, 4))), (x @ weight.numpy() + bias.numpy().reshape(1, 3))[None])
    layer.bias.data = t([1.0, 2.0, 3.0])
    close(layer(t(x)), x @ weight.numpy() + [1, 2, 3])


def test_flatten_residual_and_sequential() -> None:
    x = rows(2, 3, 4)
    close(nn.Flatten()(t(x)), x.reshape(2, 12))
    close(nn.Flatten()(t(rows(0, 3, 4))), np.zeros((0, 12)))
    close(nn.Residual(nn.ReLU())(t(x)), np.maximum(x, 0) + x)
    model = nn.Sequential(nn.Identity(), nn.Tanh(), nn.Sigmoid())
    assert isinstance(model.modules, tuple)
    close(model(t(x)), 1 / (1 + np.exp(-np.tanh(x))))


def test_softmax_loss_is_the_mean_cross_entropy_on_every_device(device: Any) -> None:
    logits, labels = rows(5, 4), np.array([0, 3, 1, 1, 2])
    exact = logits.astype("float64")
    want = np.mean(np.log(np.exp(exact).sum(1)) - exact[np.arange(5), labels])
    for where in (CPUDevice(), device):
        x = Tensor(logits, device=where)
        loss = nn.SoftmaxLoss()(x, Tensor(labels.astype("float32"), device=where))
        np.testing.assert_allclose(loss.numpy().sum(), want, rtol=1e-6)
        loss.backward()
        probabilities = np.exp(exact) / np.exp(exact).sum(1, keepdims=True)
        np.testing.assert_allclose(x.grad.numpy(), (probabilities - np.eye(4)[labels]) / 5, atol=1e-7)


def test_softmax_loss_is_finite_and_exact_at_large_logits(device: Any) -> None:
    x = Tensor([[1e4, -1e4, 1e4], [-1e4, 1e4, 0]], device=device)
    loss = nn.SoftmaxLoss()(x, Tensor([0, 0], device=device))
    np.testing.assert_allclose(loss.numpy().sum(), (np.log(2) + 2e4) / 2, rtol=1e-6)
    loss.backward()
    np.testing.assert_allclose(x.grad.numpy(), [[-0.25, 0, 0.25], [-0.5, 0.5, 0]], atol=1e-7)


@pytest.mark.parametrize(
    "logits, labels, words",
    [
        ((2, 3), [0, 3], r"SoftmaxLoss: label out of range; .* index 3 at place \(1,\) .* from 0 to 2"),
        ((2, 3), [0, -1], r"SoftmaxLoss: label out of range"),
        ((0, 3), [], r"SoftmaxLoss: the batch is empty, logits have shape \(0, 3\)"),
        ((2, 3), [0], r"SoftmaxLoss: logits \(2, 3\) and labels \(1,\) must have shapes"),
        ((2, 3, 1), [0, 1], r"SoftmaxLoss: logits \(2, 3, 1\)"),
    ],
)
def test_softmax_loss_refuses_what_has_no_answer(logits: Any, labels: Any, words: str, device: Any) -> None:
    with pytest.raises(ValueError, match=words):
        nn.SoftmaxLoss()(Tensor(np.ones(logits), device=device), Tensor(np.array(labels), device=device))


def test_batchnorm_uses_the_batch_in_training_and_its_memory_in_evaluation() -> None:
    layer, x = nn.BatchNorm1d(3, eps=1e-3, momentum=0.2, **NP), 2 + 3 * rows(6, 3)
    layer.weight.data, layer.bias.data = t([1.0, 2.0, 3.0]), t([0.5, 0.0, -0.5])
    mean, variance = x.mean(0), x.var(0)
    close(layer(t(x)), [1, 2, 3] * (x - mean) / np.sqrt(variance + 1e-3) + [0.5, 0, -0.5], 1e-5)
    close(layer.running_mean, 0.2 * mean)
    close(layer.running_var, 0.8 + 0.2 * variance)
    layer.eval()
    want = [1, 2, 3] * (x - 0.2 * mean) / np.sqrt(0.8 + 0.2 * variance + 1e-3) + [0.5, 0, -0.5]
    close(layer(t(x)), want, 1e-5)
    close(layer.running_mean, 0.2 * mean)


def test_batchnorm2d_counts_every_pixel_of_a_channel_as_a_row() -> None:
    layer, x = nn.BatchNorm2d(3, **NP), rows(2, 3, 4, 5)
    mean, variance = x.mean((0, 2, 3), keepdims=True), x.var((0, 2, 3), keepdims=True)
    close(layer(t(x)), (x - mean) / np.sqrt(variance + 1e-5), 1e-5)
    close(layer.running_mean, 0.1 * mean.reshape(3))


def test_layernorm_normalises_each_row() -> None:
    layer, x = nn.LayerNorm1d(4, eps=0.1, **NP), rows(3, 4)
    layer.weight.data, layer.bias.data = t([1.0, 2.0, 3.0, 4.0]), t([1.0, 0.0, 0.0, 0.0])
    centered = x - x.mean(1, keepdims=True)
    close(layer(t(x)), centered / np.sqrt(x.var(1, keepdims=True) + 0.1) * [1, 2, 3, 4] + [1, 0, 0, 0], 1e-5)


@pytest.mark.parametrize(
    "layer", [nn.BatchNorm1d(3, **NP), nn.LayerNorm1d(3, **NP)], ids=["BatchNorm1d", "LayerNorm1d"]
)
def test_norms_refuse_an_empty_batch_and_a_wrong_width(layer: Any) -> None:
    with pytest.raises(ValueError, match="the batch is empty"):
        layer(t(rows(0, 3)))
    with pytest.raises(ValueError, match=r"the input has shape \(2, 4\), but needs \(batch, 3\)"):
        layer(t(rows(2, 4)))


def test_gradients_of_normalisation_in_float64() -> None:
    for make in (nn.BatchNorm1d, nn.LayerNorm1d):
        layer = make(3, dtype="float64", **NP)
        check_gradients(layer, [rows(4, 3)])


def test_dropout_drops_with_probability_p_in_training_only_by_one_draw_per_call() -> None:
    layer, x = nn.Dropout(0.9), t(np.ones((200, 50)))
    np.random.seed(0)
    y = layer(x).numpy()
    assert 0.88 < (y == 0).mean() < 0.92
    np.testing.assert_allclose(y[y != 0], 10, rtol=1e-6)
    np.random.seed(0)
    np.testing.assert_array_equal(y != 0, np.random.rand(200, 50) <= 1 - 0.9)
    layer.eval()
    state = np.random.get_state()[2]
    np.testing.assert_array_equal(layer(x).numpy(), x.numpy())
    assert np.random.get_state()[2] == state
    with pytest.raises(ValueError, match="Dropout: p is the probability to drop"):
        nn.Dropout(1.0)


def test_batchnorm_keeps_no_graph_from_batch_to_batch() -> None:
    layer = nn.BatchNorm1d(3, **NP)
    for count in range(6):
        layer(t(rows(4, 3))).sum().backward(create_graph=False)
        layer.weight.grad = layer.bias.grad = None
        gc.collect()
        if count == 2:
            before = autograd.TENSOR_COUNTER
    assert before == autograd.TENSOR_COUNTER
    assert layer.running_mean.is_leaf()


def test_layers_follow_their_device_and_refuse_inputs_from_another(device: Any) -> None:
    layer = nn.Sequential(nn.Linear(3, 2, device=device), nn.BatchNorm1d(2, device=device), nn.Dropout(0.5))
    assert {str(p.device) for p in layer.parameters()} == {str(device)}
    assert layer(Tensor(rows(4, 3), device=device)).device == device
    with pytest.raises(ValueError, match="matmul: inputs must be on one device, not on needle.cpu.. and"):
        layer(t(rows(4, 3)))


def test_a_module_without_forward_says_so() -> None:
    class Empty(nn.Module):
        pass

    with pytest.raises(NotImplementedError, match="Empty: forward is not written"):
        Empty()(1)
