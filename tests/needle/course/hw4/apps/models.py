"""Homework 4: ResNet9 and the language model."""

import sys

sys.path.append("./python")
import math

import numpy as np

import needle as ndl
import needle.nn as nn

np.random.seed(0)


class ConvBN(ndl.nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride, device=None, dtype="float32"):
        super().__init__()
        self.conv = nn.Conv(in_channels, out_channels, kernel_size, stride=stride, device=device, dtype=dtype)
        self.bn = nn.BatchNorm2d(dim=out_channels, device=device, dtype=dtype)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.bn(self.conv(x)))


class ResNet9(ndl.nn.Module):
    def __init__(self, device=None, dtype="float32"):
        super().__init__()
        kw = dict(device=device, dtype=dtype)
        self.model = nn.Sequential(
            ConvBN(3, 16, 7, 4, **kw),
            ConvBN(16, 32, 3, 2, **kw),
            nn.Residual(nn.Sequential(ConvBN(32, 32, 3, 1, **kw), ConvBN(32, 32, 3, 1, **kw))),
            ConvBN(32, 64, 3, 2, **kw),
            ConvBN(64, 128, 3, 2, **kw),
            nn.Residual(nn.Sequential(ConvBN(128, 128, 3, 1, **kw), ConvBN(128, 128, 3, 1, **kw))),
            nn.Flatten(),
            nn.Linear(128, 128, **kw),
            nn.ReLU(),
            nn.Linear(128, 10, **kw),
        )

    def forward(self, x):
        return self.model(x)


class LanguageModel(nn.Module):
    def __init__(
        self,
        embedding_size,
        output_size,
        hidden_size,
        num_layers=1,
        seq_model="rnn",
        seq_len=40,
        device=None,
        dtype="float32",
    ):
        super().__init__()
        kw = dict(device=device, dtype=dtype)
        self.embedding = nn.Embedding(output_size, embedding_size, **kw)
        width = hidden_size
        if seq_model == "rnn":
            self.seq = nn.RNN(embedding_size, hidden_size, num_layers, **kw)
        elif seq_model == "lstm":
            self.seq = nn.LSTM(embedding_size, hidden_size, num_layers, **kw)
        elif seq_model == "transformer":
            self.seq = nn.Transformer(embedding_size, hidden_size, num_layers, sequence_len=seq_len, **kw)
            width = embedding_size
        self.linear = nn.Linear(width, output_size, **kw)

    def forward(self, x, h=None):
        out, h = self.seq(self.embedding(x), h)
        seq_len, bs, width = out.shape
        return self.linear(out.reshape((math.prod((seq_len, bs)), width))), h
