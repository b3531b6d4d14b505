"""Homework 1: softmax loss and one epoch of a two-layer network, on NumPy."""

import gzip
import struct
import sys

import numpy as np

sys.path.append("python/")
import needle as ndl


def parse_mnist(image_filesname, label_filename):
    with gzip.open(image_filesname) as f:
        _, n, h, w = struct.unpack(">4I", f.read(16))
        X = np.frombuffer(f.read(), dtype=np.uint8).reshape(n, h * w)
    with gzip.open(label_filename) as f:
        f.read(8)
        y = np.frombuffer(f.read(), dtype=np.uint8)
    return X.astype(np.float32) / np.float32(255), y


def softmax_loss(Z, y_one_hot):
    batch = Z.shape[0]
    lse = ndl.log(ndl.summation(ndl.exp(Z), axes=(1,)))
    return ndl.divide_scalar(ndl.summation(lse) - ndl.summation(Z * y_one_hot), batch)


def nn_epoch(X, y, W1, W2, lr=0.1, batch=100):
    classes = W2.shape[1]
    for start in range(0, X.shape[0], batch):
        x = ndl.Tensor(X[start : start + batch])
        labels = y[start : start + batch]
        one_hot = np.zeros((labels.shape[0], classes))
        one_hot[np.arange(labels.size), labels] = 1
        logits = ndl.matmul(ndl.relu(ndl.matmul(x, W1)), W2)
        softmax_loss(logits, ndl.Tensor(one_hot)).backward()
        W1 = ndl.Tensor(W1.realize_cached_data() - lr * W1.grad.realize_cached_data())
        W2 = ndl.Tensor(W2.realize_cached_data() - lr * W2.grad.realize_cached_data())
    return W1, W2


def loss_err(h, y):
    one_hot = np.zeros((y.shape[0], h.shape[-1]))
    one_hot[np.arange(y.size), y] = 1
    return softmax_loss(h, ndl.Tensor(one_hot)).numpy(), np.mean(h.numpy().argmax(axis=1) != y)
