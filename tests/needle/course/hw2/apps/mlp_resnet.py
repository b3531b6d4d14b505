"""Homework 2: the residual network of linear layers, and its training."""

import os
import sys

sys.path.append("../python")
import numpy as np

import needle as ndl
import needle.nn as nn

np.random.seed(0)


def ResidualBlock(dim, hidden_dim, norm=nn.BatchNorm1d, drop_prob=0.1):
    main_path = nn.Sequential(
        nn.Linear(dim, hidden_dim),
        norm(hidden_dim),
        nn.ReLU(),
        nn.Dropout(drop_prob),
        nn.Linear(hidden_dim, dim),
        norm(dim),
    )
    return nn.Sequential(nn.Residual(main_path), nn.ReLU())


def MLPResNet(dim, hidden_dim=100, num_blocks=3, num_classes=10, norm=nn.BatchNorm1d, drop_prob=0.1):
    blocks = [ResidualBlock(hidden_dim, hidden_dim // 2, norm, drop_prob) for _ in range(num_blocks)]
    return nn.Sequential(nn.Linear(dim, hidden_dim), nn.ReLU(), *blocks, nn.Linear(hidden_dim, num_classes))


def epoch(dataloader, model, opt=None):
    np.random.seed(4)
    loss_fn, wrong, total, loss_sum = nn.SoftmaxLoss(), 0, 0, 0.0
    if opt:
        model.train()
    else:
        model.eval()
    for X, y in dataloader:
        logits = model(X)
        loss = loss_fn(logits, y)
        if opt:
            opt.reset_grad()
            loss.backward()
            opt.step()
        wrong += np.sum(logits.numpy().argmax(axis=1) != y.numpy())
        loss_sum += loss.numpy() * y.shape[0]
        total += y.shape[0]
    return wrong / total, loss_sum / total


def train_mnist(
    batch_size=100,
    epochs=10,
    optimizer=ndl.optim.Adam,
    lr=0.001,
    weight_decay=0.001,
    hidden_dim=100,
    data_dir="data",
):
    np.random.seed(4)
    train, test = (
        ndl.data.MNISTDataset(
            os.path.join(data_dir, f"{part}-images-idx3-ubyte.gz"),
            os.path.join(data_dir, f"{part}-labels-idx1-ubyte.gz"),
        )
        for part in ("train", "t10k")
    )
    train_loader = ndl.data.DataLoader(train, batch_size=batch_size, shuffle=True)
    test_loader = ndl.data.DataLoader(test, batch_size=batch_size)
    model = MLPResNet(784, hidden_dim)
    opt = optimizer(model.parameters(), lr=lr, weight_decay=weight_decay)
    for _ in range(epochs):
        train_error, train_loss = epoch(train_loader, model, opt)
    test_error, test_loss = epoch(test_loader, model)
    return train_error, train_loss, test_error, test_loss
