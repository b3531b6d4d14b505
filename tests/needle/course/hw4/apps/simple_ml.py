"""Homework 4: training loops for CIFAR-10 and for the Penn Treebank."""

import sys

sys.path.append("python/")
import numpy as np
from apps.models import *  # noqa: F403

import needle as ndl
import needle.nn as nn
from needle import backend_ndarray as nd  # noqa: F401


def epoch_general_cifar10(dataloader, model, loss_fn=nn.SoftmaxLoss(), opt=None):  # noqa: B008
    np.random.seed(4)
    if opt:
        model.train()
    else:
        model.eval()
    device = model.parameters()[0].device
    correct, total, loss_sum = 0, 0, 0.0
    for X, y in dataloader:
        X, y = ndl.Tensor(X, device=device), ndl.Tensor(y, device=device)
        out = model(X)
        loss = loss_fn(out, y)
        if opt:
            opt.reset_grad()
            loss.backward()
            opt.step()
        correct += np.sum(np.argmax(out.numpy(), axis=1) == y.numpy())
        loss_sum += loss.numpy().sum() * y.shape[0]
        total += y.shape[0]
    return correct / total, loss_sum / total


def train_cifar10(
    model,
    dataloader,
    n_epochs=1,
    optimizer=ndl.optim.Adam,
    lr=0.001,
    weight_decay=0.001,
    loss_fn=nn.SoftmaxLoss,
):
    np.random.seed(4)
    opt = optimizer(model.parameters(), lr=lr, weight_decay=weight_decay)
    for _ in range(n_epochs):
        result = epoch_general_cifar10(dataloader, model, loss_fn(), opt)
    return result


def evaluate_cifar10(model, dataloader, loss_fn=nn.SoftmaxLoss):
    np.random.seed(4)
    return epoch_general_cifar10(dataloader, model, loss_fn())


def epoch_general_ptb(
    data,
    model,
    seq_len=40,
    loss_fn=nn.SoftmaxLoss(),  # noqa: B008
    opt=None,
    clip=None,
    device=None,
    dtype="float32",
):
    np.random.seed(4)
    if opt:
        model.train()
    else:
        model.eval()
    correct, total, loss_sum, h = 0, 0, 0.0, None
    for i in range(0, data.shape[0] - 1, seq_len):
        X, y = ndl.data.get_batch(data, i, seq_len, device=device, dtype=dtype)
        out, h = model(X, h)
        h = tuple(part.detach() for part in h) if isinstance(h, tuple) else h.detach()
        loss = loss_fn(out, y)
        if opt:
            opt.reset_grad()
            loss.backward()
            if clip:
                opt.clip_grad_norm(clip)
            opt.step()
        correct += np.sum(np.argmax(out.numpy(), axis=1) == y.numpy())
        loss_sum += loss.numpy().sum() * y.shape[0]
        total += y.shape[0]
    return correct / total, loss_sum / total


def train_ptb(
    model,
    data,
    seq_len=40,
    n_epochs=1,
    optimizer=ndl.optim.SGD,
    lr=4.0,
    weight_decay=0.0,
    loss_fn=nn.SoftmaxLoss,
    clip=None,
    device=None,
    dtype="float32",
):
    np.random.seed(4)
    opt = optimizer(model.parameters(), lr=lr, weight_decay=weight_decay)
    for _ in range(n_epochs):
        result = epoch_general_ptb(data, model, seq_len, loss_fn(), opt, clip, device, dtype)
    return result


def evaluate_ptb(model, data, seq_len=40, loss_fn=nn.SoftmaxLoss, device=None, dtype="float32"):
    np.random.seed(4)
    return epoch_general_ptb(data, model, seq_len, loss_fn(), device=device, dtype=dtype)
