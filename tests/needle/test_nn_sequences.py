"""Convolution, recurrent and attention layers against plain NumPy in float64, with their draws, masks and errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from needle import nn
from needle.autograd import Tensor
from needle.backend_numpy import CPUDevice
from tests.needle.gradient_check import check_gradients, tensor64

F64: dict[str, Any] = {"device": CPUDevice(), "dtype": "float64"}


def rows(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape)


def close(have: Tensor, want: np.ndarray) -> None:
    assert have.shape == want.shape
    np.testing.assert_allclose(have.numpy(), want, rtol=1e-10, atol=1e-12)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def seeded(make: Any, seed: int = 3) -> Any:
    np.random.seed(seed)
    return make()


@pytest.mark.parametrize("kernel, stride", [(3, 1), (1, 1), (3, 2), (4, 3), ((3, 3), (2, 2))], ids=str)
def test_conv_layer_takes_channels_first_and_pads_by_half_the_kernel(kernel: Any, stride: Any) -> None:
    layer = seeded(lambda: nn.Conv(2, 3, kernel, stride, **F64))
    k, s = layer.kernel_size, layer.stride
    x = rows(2, 2, 6, 7)
    padded = np.pad(x, ((0, 0), (0, 0), (k // 2, k // 2), (k // 2, k // 2)))
    want = np.array(
        [
            [
                [
                    np.einsum("chw,hwco->o", one[:, i : i + k, j : j + k], layer.weight.numpy())
                    for j in range(0, padded.shape[3] - k + 1, s)
                ]
                for i in range(0, padded.shape[2] - k + 1, s)
            ]
            for one in padded
        ]
    )
    close(layer(tensor64(x)), (want + layer.bias.numpy()).transpose(0, 3, 1, 2))


def test_conv_layer_draws_weight_then_bias_within_their_bounds() -> None:
    layer = seeded(lambda: nn.Conv(4, 8, 3, **F64))
    np.random.seed(3)
    bound = math.sqrt(6 / 36)
    np.testing.assert_allclose(layer.weight.numpy(), np.random.rand(3, 3, 4, 8) * 2 * bound - bound)
    np.testing.assert_allclose(layer.bias.numpy(), (np.random.rand(8) * 2 - 1) / math.sqrt(36))
    with pytest.raises(ValueError, match=r"Conv: the input has shape \(2, 3, 5, 5\), but needs \(N, 4, H, W\)"):
        layer(tensor64(rows(2, 3, 5, 5)))


def rnn_step(x: np.ndarray, h: np.ndarray, cell: Any, f: Any) -> np.ndarray:
    return f(x @ cell.W_ih.numpy() + cell.bias_ih.numpy() + h @ cell.W_hh.numpy() + cell.bias_hh.numpy())


def lstm_step(x: np.ndarray, h: np.ndarray, c: np.ndarray, cell: Any) -> tuple[np.ndarray, np.ndarray]:
    mix = rnn_step(x, h, cell, lambda y: y)
    i, f, g, o = np.split(mix, 4, axis=1)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("nonlinearity", ["tanh", "relu"])
def test_rnn_runs_its_cells_over_time_and_layers(layers: int, nonlinearity: str) -> None:
    model = seeded(lambda: nn.RNN(2, 3, layers, nonlinearity=nonlinearity, **F64))
    f = np.tanh if nonlinearity == "tanh" else lambda y: np.maximum(y, 0)
    x, h0 = rows(4, 5, 2), rows(layers, 5, 3, seed=1)
    for start in (h0, None):
        steps, last = list(x), []
        for layer, cell in enumerate(model.rnn_cells):
            h, outputs = np.zeros((5, 3)) if start is None else start[layer], []
            for step in steps:
                h = rnn_step(step, h, cell, f)
                outputs.append(h)
            steps = outputs
            last.append(h)
        output, h_n = model(tensor64(x), None if start is None else tensor64(start))
        close(output, np.stack(steps))
        close(h_n, np.stack(last))


@pytest.mark.parametrize("layers", [1, 2])
def test_lstm_has_its_gates_in_the_order_i_f_g_o(layers: int) -> None:
    model = seeded(lambda: nn.LSTM(2, 3, layers, **F64))
    x, h0, c0 = rows(4, 5, 2), rows(layers, 5, 3, seed=1), rows(layers, 5, 3, seed=2)
    steps, last = list(x), []
    for layer, cell in enumerate(model.lstm_cells):
        h, c, outputs = h0[layer], c0[layer], []
        for step in steps:
            h, c = lstm_step(step, h, c, cell)
            outputs.append(h)
        steps = outputs
        last.append((h, c))
    output, (h_n, c_n) = model(tensor64(x), (tensor64(h0), tensor64(c0)))
    close(output, np.stack(steps))
    close(h_n, np.stack([h for h, _ in last]))
    close(c_n, np.stack([c for _, c in last]))
    zeros = np.zeros((layers, 5, 3))
    close(model(tensor64(x))[0], model(tensor64(x), (tensor64(zeros), tensor64(zeros)))[0].numpy())


@pytest.mark.parametrize(
    "make", [lambda: nn.RNNCell(2, 3, **F64), lambda: nn.LSTMCell(2, 3, **F64)], ids=["RNN", "LSTM"]
)
def test_cells_draw_four_weights_on_plus_minus_one_over_the_root_of_hidden(make: Any) -> None:
    cell = seeded(make)
    np.random.seed(3)
    for weight in (cell.W_ih, cell.W_hh, cell.bias_ih, cell.bias_hh):
        np.testing.assert_allclose(weight.numpy(), (np.random.rand(*weight.shape) * 2 - 1) / math.sqrt(3))


def test_hidden_weights_get_a_gradient_also_from_a_zero_state() -> None:
    for cell in (nn.RNNCell(2, 3, **F64), nn.LSTMCell(2, 3, **F64)):
        out = cell(tensor64(rows(4, 2)))
        (out[0] if isinstance(out, tuple) else out).sum().backward()
        np.testing.assert_array_equal(cell.W_hh.grad.numpy(), np.zeros(cell.W_hh.shape))


def test_forward_reads_weights_that_were_replaced_by_plain_tensors() -> None:
    cell = nn.RNNCell(2, 3, **F64)
    cell.W_ih, cell.W_hh = tensor64(np.ones((2, 3))), tensor64(np.zeros((3, 3)))
    cell.bias_ih, cell.bias_hh = tensor64(np.zeros(3)), tensor64(np.ones(3))
    close(cell(tensor64([[1.0, 2.0]])), np.tanh(np.full((1, 3), 4.0)))


def test_gradients_through_time() -> None:
    for model in (seeded(lambda: nn.RNN(2, 2, 2, **F64)), seeded(lambda: nn.LSTM(2, 2, 1, **F64))):
        check_gradients(lambda x, m=model: m(x)[0], [rows(3, 2, 2)])


def test_embedding_picks_rows_of_its_weight() -> None:
    layer = seeded(lambda: nn.Embedding(5, 3, **F64))
    np.random.seed(3)
    np.testing.assert_allclose(layer.weight.numpy(), np.random.randn(5, 3))
    numbers = np.array([[0, 4], [2, 2]])
    out = layer(tensor64(numbers))
    close(out, layer.weight.numpy()[numbers])
    out.sum().backward()
    np.testing.assert_array_equal(layer.weight.grad.numpy(), np.array([1, 0, 2, 0, 1])[:, None] * np.ones(3))
    with pytest.raises(ValueError, match="one_hot: index 5 at place"):
        layer(tensor64([[5]]))


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("times", [(3, 3), (2, 4)], ids=str)
def test_attention_is_a_softmax_of_scaled_products_and_causal_sees_no_later_key(causal: bool, times: Any) -> None:
    layer = nn.MultiHeadAttention(causal=causal, **F64)
    q, k, v = rows(2, 2, times[0], 4), rows(2, 2, times[1], 4, seed=1), rows(2, 2, times[1], 4, seed=2)
    scores = q @ k.swapaxes(2, 3) / 2
    if causal:
        later = np.arange(times[1])[None] > np.arange(times[0])[:, None] + times[1] - times[0]
        scores = np.where(later, -np.inf, scores)
    result, probs = layer(tensor64(q), tensor64(k), tensor64(v))
    close(probs, softmax(scores))
    close(result, softmax(scores) @ v)
    check_gradients(lambda *x: layer(*x)[0], [q, k, v])


def layernorm(x: np.ndarray) -> np.ndarray:
    centered = x - x.mean(-1, keepdims=True)
    return centered / np.sqrt((centered**2).mean(-1, keepdims=True) + 1e-5)


def attention_layer(layer: Any, q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Without a mask, and with the first values of the norms."""

    def heads(x: np.ndarray, projection: Any) -> np.ndarray:
        y = layernorm(x) @ projection.weight.numpy()
        return y.reshape(*x.shape[:2], layer.num_head, layer.dim_head).swapaxes(1, 2)

    q, k, v = heads(q, layer.q_projection), heads(k, layer.k_projection), heads(v, layer.v_projection)
    y = softmax(q @ k.swapaxes(2, 3) / math.sqrt(layer.dim_head)) @ v
    return y.swapaxes(1, 2).reshape(*y.swapaxes(1, 2).shape[:2], -1) @ layer.out_projection.weight.numpy()


def test_attention_layer_normalises_projects_and_attends_over_other_keys() -> None:
    sizes: dict[str, Any] = {"k_features": 4, "v_features": 6, "out_features": 7}
    layer = seeded(lambda: nn.AttentionLayer(5, 2, 3, causal=False, **sizes, **F64))
    q, k, v = rows(2, 3, 5), rows(2, 4, 4, seed=1), rows(2, 4, 6, seed=2)
    close(layer(tensor64(q), tensor64(k), tensor64(v)), attention_layer(layer, q, k, v))
    assert len(layer.parameters()) == 6 + 4
    own = seeded(lambda: nn.AttentionLayer(5, 2, 3, causal=False, **F64))
    close(own(tensor64(q)), attention_layer(own, q, q, q))


def test_transformer_layer_adds_attention_and_then_a_network_of_its_norm() -> None:
    layer = seeded(lambda: nn.TransformerLayer(4, 2, 3, 6, causal=False, **F64))
    attention, _ = layer.attention.modules
    _, first, _, _, second, _ = layer.feed_forward.fn.modules
    x = rows(2, 3, 4)
    y = x + attention_layer(attention, x, x, x)
    hidden = np.maximum(layernorm(y) @ first.weight.numpy() + first.bias.numpy(), 0)
    close(layer(tensor64(x)), y + hidden @ second.weight.numpy() + second.bias.numpy())


def test_transformer_draws_positions_first_and_accepts_both_orders_of_axes() -> None:
    sizes: dict[str, Any] = {"num_head": 2, "dim_head": 2, "sequence_len": 6}
    first = seeded(lambda: nn.Transformer(4, 5, 2, batch_first=True, **sizes, **F64))
    np.random.seed(3)
    positions = np.random.randn(6, 4)
    np.testing.assert_allclose(first.positions.weight.numpy(), positions)
    x = rows(2, 3, 4)
    y, h = first(tensor64(x))
    want = tensor64(x + positions[:3])
    for layer in first.layers:
        want = layer(want)
    close(y, want.numpy())
    np.testing.assert_array_equal(h.numpy(), np.zeros((2, 3, 4)))
    second = seeded(lambda: nn.Transformer(4, 5, 2, **sizes, **F64))
    close(second(tensor64(x.swapaxes(0, 1)))[0], y.numpy().swapaxes(0, 1))
    with pytest.raises(ValueError, match="Transformer: 7 positions, but sequence_len is 6"):
        second(tensor64(rows(7, 1, 4)))


def test_a_causal_transformer_does_not_see_later_positions() -> None:
    model = seeded(lambda: nn.Transformer(4, 5, 2, num_head=2, dim_head=2, batch_first=True, **F64))
    x = rows(1, 5, 4)
    changed = x.copy()
    changed[0, 3:] += 1
    before, after = model(tensor64(x))[0].numpy(), model(tensor64(changed))[0].numpy()
    np.testing.assert_array_equal(before[0, :3], after[0, :3])
    assert np.abs(before[0, 3:] - after[0, 3:]).min() > 0


def test_dropout_masks_are_drawn_in_the_order_of_execution() -> None:
    layer = seeded(lambda: nn.TransformerLayer(4, 1, 2, 6, dropout=0.5, causal=False, **F64))
    np.random.seed(0)
    layer(tensor64(rows(2, 3, 4)))
    after = np.random.rand()
    np.random.seed(0)
    for shape in ((2, 1, 3, 3), (2, 3, 4), (6, 6), (6, 4)):
        np.random.rand(*shape)
    assert np.random.rand() == after


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: nn.RNN(2, 3, **F64)(tensor64(rows(4, 2))), r"RNN: the input has shape \(4, 2\)"),
        (lambda: nn.LSTM(2, 3, **F64)(tensor64(rows(4, 0, 2))), r"LSTM: the input has shape \(4, 0, 2\)"),
        (lambda: nn.RNN(2, 3, 2, **F64)(tensor64(rows(4, 5, 2)), tensor64(rows(1, 5, 3))), r"RNN: the state has shape"),
        (lambda: nn.LSTMCell(2, 3, **F64)(tensor64(rows(4, 3))), r"LSTMCell: the input has shape \(4, 3\)"),
        (lambda: nn.RNNCell(2, 3, **F64)(tensor64(rows(4, 2)), tensor64(rows(1, 3))), r"RNNCell: the hidden state"),
        (lambda: nn.RNNCell(2, 3, nonlinearity="sin"), r"RNNCell: nonlinearity must be tanh or relu, not 'sin'"),
        (
            lambda: nn.MultiHeadAttention()(*(tensor64(rows(1, 1, 2, d)) for d in (3, 4, 4))),
            r"MultiHeadAttention: q \(1, 1, 2, 3\), k \(1, 1, 2, 4\)",
        ),
    ],
)
def test_wrong_shapes_are_named(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
