"""Homework 2 as its tests use the library: float32 parameters on NumPy, cached_data read directly, counted tensors."""

import gzip
import os
import struct
import sys

sys.path.append("./python")
sys.path.append("./apps")
import mugrade  # noqa: F401
import numpy as np
import pytest
from mlp_resnet import *  # noqa: F403

import needle as ndl
import needle.nn as nn


def get_tensor(*shape, entropy=1):
    np.random.seed(np.prod(shape) * len(shape) * entropy)
    return ndl.Tensor(np.random.randint(0, 100, size=shape) / 20, dtype="float32")


def get_int_tensor(*shape, low=0, high=10, entropy=1):
    np.random.seed(np.prod(shape) * len(shape) * entropy)
    return ndl.Tensor(np.random.randint(low, high, size=shape))


def check(have, want):
    assert isinstance(have.cached_data, np.ndarray) and have.cached_data.dtype == np.float32
    np.testing.assert_allclose(have.cached_data, want, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    "name, formula",
    [
        ("xavier_uniform", lambda: (np.random.rand(3, 5) * 2 - 1) * 1.5 * np.sqrt(6 / 8)),
        ("xavier_normal", lambda: np.random.randn(3, 5) * 0.33 * np.sqrt(2 / 8)),
        ("kaiming_uniform", lambda: (np.random.rand(3, 5) * 2 - 1) * np.sqrt(6 / 3)),
        ("kaiming_normal", lambda: np.random.randn(3, 5) * np.sqrt(2 / 3)),
    ],
)
def test_init(name, formula):
    gain = {"xavier_uniform": {"gain": 1.5}, "xavier_normal": {"gain": 0.33}}.get(name, {})
    np.random.seed(42)
    have = getattr(ndl.init, name)(3, 5, **gain)
    np.random.seed(42)
    np.testing.assert_allclose(have.numpy(), formula(), rtol=1e-4, atol=1e-4)


def test_linear_weight_then_bias_as_a_row():
    np.random.seed(1)
    f = ndl.nn.Linear(7, 4)
    assert f.weight.shape == (7, 4) and f.bias.shape == (1, 4) and f.weight.dtype == "float32"
    f.bias.data = get_tensor(1, 4)
    x = get_tensor(3, 7)
    check(f(x), x.numpy() @ f.weight.numpy() + f.bias.numpy())
    (f(x) ** 2).sum().backward()
    check(f.bias.grad, 2 * f(x).numpy().sum(0, keepdims=True))


def test_relu_flatten_sequential_residual():
    x = get_tensor(2, 3, 2)
    check(nn.Flatten()(x), x.numpy().reshape(2, 6))
    f = nn.Sequential(nn.Flatten(), nn.Residual(nn.Sequential(nn.Linear(6, 6), nn.ReLU())), nn.Linear(6, 2))
    inner = f.modules[1].fn.modules[0]
    flat = x.numpy().reshape(2, 6)
    hidden = np.maximum(flat @ inner.weight.numpy() + inner.bias.numpy(), 0) + flat
    check(f(x), hidden @ f.modules[2].weight.numpy() + f.modules[2].bias.numpy())


def test_softmax_loss_of_int_labels():
    x, y = get_tensor(5, 10), get_int_tensor(5)
    z = x.numpy().astype(np.float64)
    loss = ndl.nn.SoftmaxLoss()(x, y)
    assert loss.shape == ()
    check(loss, np.mean(np.log(np.exp(z).sum(1)) - z[np.arange(5), y.numpy()]))


@pytest.mark.parametrize("axes", [None, 1, (0,), (1, 2), (0, 1, 2)])
def test_logsumexp_and_its_backward(axes):
    x = get_tensor(3, 2, 3) * 1.0
    x = ndl.Tensor(x.numpy())
    out = ndl.logsumexp(x, axes=axes)
    m = x.numpy().astype(np.float64)
    want = np.log(np.exp(m).sum(axis=axes, keepdims=True))
    check(out, want.reshape(out.shape))
    (out * 2).sum().backward()
    check(x.grad, 2 * np.exp(m - want))
    check(ndl.logsumexp(ndl.Tensor(np.array([[1e10, 1e10]], dtype="float32")), (1,)), [1e10])


def test_logsoftmax_backward():
    x = ndl.Tensor(get_tensor(3, 4).numpy())
    out = ndl.logsoftmax(x)
    z = x.numpy().astype(np.float64)
    check(out, z - np.log(np.exp(z).sum(1, keepdims=True)))
    (out**2).sum().backward()
    g = 2 * out.numpy()
    check(x.grad, g - np.exp(out.numpy()) * g.sum(1, keepdims=True))


def test_batchnorm_running_statistics_and_eval():
    bn = nn.BatchNorm1d(4)
    x = get_tensor(5, 4)
    for _ in range(3):
        y = bn(x)
    n = x.numpy()
    check(y, (n - n.mean(0)) / np.sqrt(n.var(0) + 1e-5))
    check(bn.running_mean, n.mean(0) * (1 - 0.9**3))
    check(bn.running_var, 0.9**3 + n.var(0) * (1 - 0.9**3))
    bn.eval()
    check(bn(x), (n - bn.running_mean.numpy()) / np.sqrt(bn.running_var.numpy() + 1e-5))


def test_layernorm():
    x = get_tensor(3, 5)
    n = x.numpy()
    check(nn.LayerNorm1d(5)(x), (n - n.mean(1, keepdims=True)) / np.sqrt(n.var(1, keepdims=True) + 1e-5))


def test_dropout_keeps_where_the_draw_is_at_most_one_minus_p():
    x = get_tensor(2, 3)
    np.random.seed(0)
    y = nn.Dropout(0.45)(x)
    np.random.seed(0)
    check(y, x.numpy() * (np.random.rand(2, 3) <= 0.55) / 0.55)


OPTIMIZERS = [
    lambda p: ndl.optim.SGD(p, lr=0.01),
    lambda p: ndl.optim.SGD(p, lr=0.01, momentum=0.9, weight_decay=0.01),
    lambda p: ndl.optim.Adam(p, lr=0.001, weight_decay=0.01),
]


@pytest.mark.parametrize("make", OPTIMIZERS)
def test_training_a_model_counts_no_more_tensors_each_step(make):
    np.random.seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 4))
    opt, loss_fn, losses = make(model.parameters()), nn.SoftmaxLoss(), []
    for step in range(40):
        opt.reset_grad()
        x, y = get_tensor(16, 8, entropy=step), get_int_tensor(16, high=4, entropy=step)
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
        losses.append(float(loss.numpy()))
        assert all(p.cached_data.dtype == np.float32 for p in model.parameters())
    assert np.mean(losses[-5:]) < np.mean(losses[:5])
    assert ndl.autograd.TENSOR_COUNTER < 3000


def test_mlp_resnet_parameters_and_forward():
    np.random.seed(0)
    model = MLPResNet(12, 8, 2, 5, nn.LayerNorm1d, 0.5)  # noqa: F405
    assert len(model.parameters()) == 2 + 2 * 8 + 2
    assert model(get_tensor(3, 12)).shape == (3, 5)
    assert ResidualBlock(4, 2)(get_tensor(3, 4)).shape == (3, 4)  # noqa: F405


def write_mnist(folder, part, count):
    generator = np.random.default_rng(count)
    labels = generator.integers(0, 10, count).astype(np.uint8)
    images = np.zeros((count, 28, 28), dtype=np.uint8)
    for image, label in zip(images, labels, strict=True):
        image[2 * label : 2 * label + 4, :] = generator.integers(100, 256, (4, 28))
    for name, axes, values in (("images-idx3", 3, images), ("labels-idx1", 1, labels)):
        with gzip.open(os.path.join(folder, f"{part}-{name}-ubyte.gz"), "wb") as file:
            file.write(bytes((0, 0, 8, axes)) + struct.pack(f">{axes}I", *values.shape) + values.tobytes())


def test_train_mnist_on_files_of_stripes(tmp_path):
    write_mnist(tmp_path, "train", 300)
    write_mnist(tmp_path, "t10k", 100)
    result = train_mnist(50, 4, ndl.optim.Adam, 0.01, 0.001, 32, str(tmp_path))  # noqa: F405
    assert len(result) == 4 and result[2] < 0.2 and result[3] < 1.0


def test_loader_and_dataset_agree_for_slices(tmp_path):
    write_mnist(tmp_path, "train", 25)
    dataset = ndl.data.MNISTDataset(f"{tmp_path}/train-images-idx3-ubyte.gz", f"{tmp_path}/train-labels-idx1-ubyte.gz")
    for i, batch in enumerate(ndl.data.DataLoader(dataset=dataset, batch_size=10, shuffle=False)):
        images, labels = dataset[i * 10 : (i + 1) * 10]
        np.testing.assert_allclose(batch[0].numpy(), images)
        np.testing.assert_allclose(batch[1].numpy(), labels)
    first, second = (next(iter(ndl.data.DataLoader(dataset=dataset, batch_size=10, shuffle=True)))[0] for _ in range(2))
    assert first != second  # by identity
    flipped = ndl.data.MNISTDataset(
        f"{tmp_path}/train-images-idx3-ubyte.gz",
        f"{tmp_path}/train-labels-idx1-ubyte.gz",
        transforms=[ndl.data.RandomCrop(), ndl.data.RandomFlipHorizontal()],
    )
    assert flipped[3][0].reshape(-1).shape == (784,)
