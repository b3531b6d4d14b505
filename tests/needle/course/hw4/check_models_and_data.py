"""Homework 4: cells with weights put in by hand, layers, CIFAR-10 and PTB files, and training."""

import os
import pickle
import sys

sys.path.append("./python")
sys.path.append("./apps")
import mugrade  # noqa: F401
import numpy as np
import pytest
from models import LanguageModel, ResNet9
from simple_ml import *  # noqa: F403

import needle as ndl
import needle.nn as nn

np.random.seed(3)

_DEVICES = [
    ndl.cpu_numpy(),
    pytest.param(ndl.cpu(), marks=pytest.mark.skipif(not ndl.cpu().enabled(), reason="no cpu module")),
    pytest.param(ndl.cuda(), marks=pytest.mark.skipif(not ndl.cuda().enabled(), reason="No GPU")),
]
devices = pytest.mark.parametrize("device", _DEVICES, ids=["cpu_numpy", "cpu", "cuda"])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@devices
@pytest.mark.parametrize("bias", [True, False])
def test_lstm_cell(bias, device):
    x, h0, c0 = (np.random.randn(3, n).astype(np.float32) for n in (4, 5, 5))
    cell = nn.LSTMCell(4, 5, device=device, bias=bias)
    W_ih, W_hh, b_ih, b_hh = (np.random.randn(*s).astype(np.float32) for s in ((4, 20), (5, 20), (20,), (20,)))
    cell.W_ih, cell.W_hh = ndl.Tensor(W_ih, device=device), ndl.Tensor(W_hh, device=device)
    mix = x @ W_ih + h0 @ W_hh
    if bias:
        cell.bias_ih, cell.bias_hh = ndl.Tensor(b_ih, device=device), ndl.Tensor(b_hh, device=device)
        mix = mix + b_ih + b_hh
    i, f, g, o = np.split(mix, 4, axis=1)
    c = sigmoid(f) * c0 + sigmoid(i) * np.tanh(g)
    h_, c_ = cell(ndl.Tensor(x, device=device), (ndl.Tensor(h0, device=device), ndl.Tensor(c0, device=device)))
    np.testing.assert_allclose(c_.numpy(), c, atol=1e-5, rtol=1e-5)
    np.testing.assert_allclose(h_.numpy(), sigmoid(o) * np.tanh(c), atol=1e-5, rtol=1e-5)
    h_.sum().backward()
    assert cell.W_hh.grad.shape == (5, 20)


@devices
@pytest.mark.parametrize("init_hidden", [True, False])
def test_rnn_shapes_and_gradients(init_hidden, device):
    model = nn.RNN(3, 4, num_layers=2, nonlinearity="relu", device=device)
    x = ndl.Tensor(np.random.randn(5, 2, 3), device=device)
    h0 = ndl.Tensor(np.random.randn(2, 2, 4), device=device) if init_hidden else None
    output, h = model(x, h0)
    assert output.shape == (5, 2, 4) and h.shape == (2, 2, 4)
    np.testing.assert_array_equal(output.numpy()[-1], h.numpy()[-1])
    output.sum().backward()
    assert all(p.grad is not None for p in model.parameters())


@devices
def test_nn_conv_gradients_reach_input_weight_and_bias(device):
    f = ndl.nn.Conv(3, 4, 3, stride=2, device=device)
    x = ndl.init.rand(2, 3, 6, 6, device=device, requires_grad=True)
    y = f(x)
    assert y.shape == (2, 4, 3, 3)
    y.sum().backward()
    np.testing.assert_allclose(f.bias.grad.numpy(), np.full(4, 18.0), rtol=1e-5)
    assert x.grad.shape == x.shape and f.weight.grad.shape == (3, 3, 3, 4)


@devices
def test_batchnorm2d(device):
    x = np.random.randn(2, 3, 4, 4).astype(np.float32)
    y = nn.BatchNorm2d(3, device=device)(ndl.Tensor(x, device=device))
    mean, var = x.mean((0, 2, 3), keepdims=True), x.var((0, 2, 3), keepdims=True)
    np.testing.assert_allclose(y.numpy(), (x - mean) / np.sqrt(var + 1e-5), atol=1e-4)


@pytest.fixture
def cifar(tmp_path):
    for k, name in enumerate([f"data_batch_{n}" for n in range(1, 6)] + ["test_batch"]):
        labels = [k % 2, 1 - k % 2]
        pixels = np.stack([np.full(3072, 250 * label) for label in labels]).astype(np.uint8)
        with open(os.path.join(tmp_path, name), "wb") as file:
            pickle.dump({b"data": pixels, b"labels": labels}, file)
    return str(tmp_path)


def test_cifar10_dataset_loader_and_one_epoch_of_resnet9(cifar):
    device = ndl.cpu() if ndl.cpu().enabled() else ndl.cpu_numpy()
    dataset = ndl.data.CIFAR10Dataset(cifar, train=True)
    assert len(dataset) == 10 and isinstance(dataset[1], tuple) and isinstance(dataset[1][0], np.ndarray)
    loader = ndl.data.DataLoader(dataset, batch_size=5, shuffle=True)
    for X, y in loader:
        assert X.shape == (5, 3, 32, 32) and y.shape == (5,) and X.dtype == "float32" == y.dtype
    np.random.seed(0)
    model = ResNet9(device=device, dtype="float32")
    first = evaluate_cifar10(model, loader)  # noqa: F405
    train_cifar10(model, loader, n_epochs=1, optimizer=ndl.optim.Adam, lr=0.001, weight_decay=0.001)  # noqa: F405
    accuracy, loss = train_cifar10(model, loader, n_epochs=1, lr=0.001)  # noqa: F405
    assert loss < first[1] and 0 <= accuracy <= 1


@pytest.fixture
def ptb(tmp_path):
    line = "the cat sat on the mat and the dog sat on the cat"
    (tmp_path / "train.txt").write_text("\n".join([line] * 12) + "\n")
    (tmp_path / "test.txt").write_text(line + "\n" + line + "\n")
    return str(tmp_path)


@devices
def test_get_batch_on_device(ptb, device):
    corpus = ndl.data.Corpus(ptb, max_lines=6)
    assert len(corpus.train) == 6 * 14 and len(corpus.dictionary) == 8
    batches = ndl.data.batchify(corpus.train, 4, device=device, dtype="float32")
    X, y = ndl.data.get_batch(batches, 3, 5, device=device, dtype="float32")
    assert X.shape == (5, 4) and y.shape == (20,) and X.device == device
    np.testing.assert_array_equal(X.numpy()[1:].flatten(), y.numpy()[:-4])


@pytest.mark.parametrize("seq_model", ["rnn", "lstm", "transformer"])
def test_language_model_training(seq_model, ptb):
    device = ndl.cpu() if ndl.cpu().enabled() else ndl.cpu_numpy()
    corpus = ndl.data.Corpus(ptb)
    train_data = ndl.data.batchify(corpus.train, batch_size=8, device=device, dtype="float32")
    np.random.seed(3)
    model = LanguageModel(8, len(corpus.dictionary), 10, 1, seq_model, seq_len=7, device=device)
    first = evaluate_ptb(model, train_data, 7, device=device)[1]  # noqa: F405
    settings = dict(seq_len=7, n_epochs=3, device=device, optimizer=ndl.optim.Adam, lr=0.02, clip=1.0)
    accuracy, loss = train_ptb(model, train_data, **settings)  # noqa: F405
    assert loss < 0.8 * first and 0 <= accuracy <= 1
    test_data = ndl.data.batchify(corpus.test, batch_size=2, device=device, dtype="float32")
    assert evaluate_ptb(model, test_data, 7, device=device)[1] < first  # noqa: F405


@devices
def test_attention_activation(device):
    q, k, v = (ndl.Tensor(np.random.randn(2, 2, 3, 4), device=device) for _ in range(3))
    layer = nn.MultiHeadAttention(dropout=0.1, causal=True, device=device)
    np.random.seed(19943)
    result, probs = layer(q, k, v)
    s = q.numpy() @ k.numpy().swapaxes(2, 3) / 2
    s = np.where(np.triu(np.ones((3, 3)), 1) == 1, -np.inf, s)
    e = np.exp(s - s.max(-1, keepdims=True))
    np.random.seed(19943)
    want = e / e.sum(-1, keepdims=True) * (np.random.rand(2, 2, 3, 3).astype(np.float32) <= 0.9) / 0.9
    np.testing.assert_allclose(probs.numpy(), want, atol=1e-5, rtol=1e-5)
    np.testing.assert_allclose(result.numpy(), want @ v.numpy(), atol=1e-5, rtol=1e-5)


@devices
@pytest.mark.parametrize("causal", [True, False])
def test_transformer_model(causal, device):
    np.random.seed(19943)
    x = ndl.Tensor(np.random.randn(4, 5, 6), device=device)
    model = nn.Transformer(
        6, 12, 2, num_head=2, dim_head=4, dropout=0.1, causal=causal, device=device, batch_first=True, sequence_len=8
    )
    result, _ = model(x)
    assert result.shape == (4, 5, 6)
    result.sum().backward()
    assert all(p.grad is not None for p in model.parameters())
