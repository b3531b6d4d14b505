"""Recurrent layers and word vectors: sequences are (length, batch, features), hidden states (layers, batch, hidden)."""

from __future__ import annotations

import math
from typing import Any

from .. import init, ops
from ..autograd import Tensor
from .module import Module, Parameter


class _Cell(Module):
    """One step of recurrence: x @ W_ih + bias_ih + h @ W_hh + bias_hh, for `gates` blocks of hidden columns.

    All weights are uniform on ±1/√hidden, drawn in the order W_ih, W_hh, bias_ih, bias_hh.
    """

    def __init__(self, input_size: int, hidden_size: int, gates: int, bias: bool, device: Any, dtype: Any) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        bound = 1 / math.sqrt(hidden_size)

        def weight(*shape: int) -> Parameter:
            return Parameter(init.rand(*shape, low=-bound, high=bound, device=device, dtype=dtype))

        columns = gates * hidden_size
        self.W_ih = weight(input_size, columns)
        self.W_hh = weight(hidden_size, columns)
        self.bias_ih = weight(columns) if bias else None
        self.bias_hh = weight(columns) if bias else None

    def zeros(self, x: Tensor) -> Tensor:
        """The hidden state of a sequence that has just begun; it is multiplied too, so W_hh gets a gradient."""
        return init.zeros(x.shape[0], self.hidden_size, device=x.device, dtype=x.dtype)

    def mix(self, x: Tensor, h: Tensor) -> Tensor:
        if x.ndim != 2 or x.shape[1] != self.input_size:
            raise ValueError(
                f"{type(self).__name__}: the input has shape {x.shape}, but needs (batch, {self.input_size})"
            )
        if h.shape != (x.shape[0], self.hidden_size):
            raise ValueError(
                f"{type(self).__name__}: the hidden state has shape {h.shape}, but needs "
                f"{(x.shape[0], self.hidden_size)}"
            )
        y = x @ self.W_ih + h @ self.W_hh
        if self.bias_ih is not None and self.bias_hh is not None:
            y = y + (self.bias_ih + self.bias_hh).broadcast_to(y.shape)
        return y


class RNNCell(_Cell):
    """h' = tanh or relu of the mix. Shapes: x (batch, in), h (batch, hidden) or None for zeros."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(input_size, hidden_size, 1, bias, device, dtype)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"RNNCell: nonlinearity must be tanh or relu, not {nonlinearity!r}")
        self.nonlinearity = ops.tanh if nonlinearity == "tanh" else ops.relu

    def forward(self, X: Tensor, h: Tensor | None = None) -> Tensor:
        return self.nonlinearity(self.mix(X, self.zeros(X) if h is None else h))


class LSTMCell(_Cell):
    """Hochreiter and Schmidhuber 1997; the four column blocks are the gates i, f, g, o.

    c' = f·c + i·g and h' = o·tanh(c'), where i, f, o are sigmoids and g is a tanh of the mix.
    Shapes: x (batch, in); h is None for zeros, or the pair (h, c), each (batch, hidden). Returns (h', c').
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = "float32"
    ) -> None:
        super().__init__(input_size, hidden_size, 4, bias, device, dtype)

    def forward(self, X: Tensor, h: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        h0, c0 = (self.zeros(X), self.zeros(X)) if h is None else h
        mix, size = self.mix(X, h0), self.hidden_size
        blocks = [ops.crop(mix, [(0, 0), (k * size, (3 - k) * size)]) for k in range(4)]
        i, f, o = (ops.sigmoid(blocks[k]) for k in (0, 1, 3))
        g = ops.tanh(blocks[2])
        c = f * c0 + i * g
        return o * ops.tanh(c), c


class RNN(Module):
    """Layers of RNNCell: the outputs of one are the inputs of the next.

    Shapes: X (length, batch, in), h0 (layers, batch, hidden) or None; returns the last layer's outputs
    (length, batch, hidden) and each layer's last state (layers, batch, hidden).
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self.rnn_cells = [
            RNNCell(input_size if layer == 0 else hidden_size, hidden_size, bias, nonlinearity, device, dtype)
            for layer in range(num_layers)
        ]

    def forward(self, X: Tensor, h0: Tensor | None = None) -> tuple[Tensor, Tensor]:
        steps = _steps("RNN", X)
        states: list[Any] = [None] * len(self.rnn_cells) if h0 is None else _per_layer("RNN", h0, self.rnn_cells)
        last = []
        for cell, h in zip(self.rnn_cells, states, strict=True):
            outputs = []
            for x in steps:
                h = cell(x, h)
                outputs.append(h)
            steps = outputs
            last.append(h)
        return ops.stack(steps, 0), ops.stack(last, 0)


class LSTM(Module):
    """Layers of LSTMCell. Shapes: as RNN, but states are pairs (h, c); returns output, (h_n, c_n)."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        device: Any = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self.lstm_cells = [
            LSTMCell(input_size if layer == 0 else hidden_size, hidden_size, bias, device, dtype)
            for layer in range(num_layers)
        ]

    def forward(self, X: Tensor, h: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        steps = _steps("LSTM", X)
        states: list[Any] = [None] * len(self.lstm_cells)
        if h is not None:
            states = list(zip(*(_per_layer("LSTM", part, self.lstm_cells) for part in h), strict=True))
        last = []
        for cell, state in zip(self.lstm_cells, states, strict=True):
            outputs = []
            for x in steps:
                state = cell(x, state)
                outputs.append(state[0])
            steps = outputs
            last.append(state)
        h_n, c_n = (ops.stack([state[k] for state in last], 0) for k in range(2))
        return ops.stack(steps, 0), (h_n, c_n)


def _steps(layer: str, X: Tensor) -> list[Tensor]:
    if X.ndim != 3 or 0 in X.shape[:2]:
        raise ValueError(f"{layer}: the input has shape {X.shape}, but needs (length, batch, features) without zeros")
    return list(ops.split(X, 0))


def _per_layer(layer: str, h: Tensor, cells: list[Any]) -> list[Tensor]:
    if h.ndim != 3 or h.shape[0] != len(cells):
        raise ValueError(f"{layer}: the state has shape {h.shape}, but needs ({len(cells)}, batch, hidden)")
    return list(ops.split(h, 0))


class Embedding(Module):
    """A vector for each of `num_embeddings` numbers: one-hot rows times weight (numbers, dim), drawn by one randn.

    Shapes: x (length, batch), whole numbers stored as floats; (length, batch, dim) out.
    Errors: ValueError for a number out of range.
    """

    def __init__(self, num_embeddings: int, embedding_dim: int, device: Any = None, dtype: Any = "float32") -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.weight = Parameter(init.randn(num_embeddings, embedding_dim, device=device, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        chosen = init.one_hot(self.num_embeddings, x, device=self.weight.device, dtype=self.weight.dtype)
        rows = chosen.reshape((math.prod(x.shape), self.num_embeddings)) @ self.weight
        return rows.reshape((*x.shape, self.embedding_dim))
