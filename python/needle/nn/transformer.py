"""Attention and the transformer (Vaswani and others 2017), with normalisation before each part."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import init, ops
from ..autograd import Tensor
from .basic import Dropout, Linear, ReLU, Residual, Sequential
from .module import Module
from .normalization import LayerNorm1d
from .sequence import Embedding


class MultiHeadAttention(Module):
    """softmax(q kᵀ / √D) v for each head; with `causal` a position sees itself and earlier ones only.

    Shapes: q (batch, heads, Tq, D), k and v (batch, heads, Tk, D); returns the result (batch, heads, Tq, D) and the
    probabilities (batch, heads, Tq, Tk) after dropout.
    """

    def __init__(self, *, dropout: float = 0.0, causal: bool = False, device: Any = None, dtype: Any = "float32"):
        super().__init__()
        self.device = device
        self.dtype = dtype
        self.causal = causal
        self.dropout = Dropout(dropout)

    def create_causal_mask(self, i: int, j: int, device: Any) -> Any:
        """An array (1, 1, i, j): the lowest float32 above the diagonal shifted by j - i, and 0 elsewhere."""
        lowest = -np.finfo(np.float32).max
        mask = np.triu(np.full((1, 1, i, j), lowest, dtype=np.float32), k=j - i + 1)
        return Tensor(mask, device=device, dtype=self.dtype, requires_grad=False).realize_cached_data()

    def matmul(self, a: Tensor, b_transpose: Tensor) -> Tensor:
        """a @ bᵀ over the last two axes."""
        return a @ b_transpose.transpose()

    def softmax(self, logit: Tensor) -> Tensor:
        return ops.softmax(logit)

    def forward(self, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        if not (q.ndim == 4 and k.shape == v.shape and (*q.shape[:2], q.shape[3]) == (*k.shape[:2], k.shape[3])):
            raise ValueError(
                f"MultiHeadAttention: q {q.shape}, k {k.shape}, v {v.shape} must be (batch, heads, T, D), "
                "T alone may differ for q"
            )
        scores = self.matmul(q, k) / math.sqrt(q.shape[3])
        if self.causal:
            mask = Tensor.make_const(self.create_causal_mask(q.shape[2], k.shape[2], q.device))
            scores = scores + mask.broadcast_to(scores.shape)
        probs = self.dropout(self.softmax(scores))
        return probs @ v, probs


class AttentionLayer(Module):
    """Normalised and projected to heads, attended, projected back.

    Shapes: q (batch, Tq, q_features), k (batch, Tk, k_features), v (batch, Tk, v_features), by default k = v = q;
    (batch, Tq, out_features) out.
    """

    def __init__(
        self,
        q_features: int,
        num_head: int,
        dim_head: int,
        *,
        k_features: int | None = None,
        v_features: int | None = None,
        out_features: int | None = None,
        dropout: float = 0.0,
        causal: bool = True,
        device: Any = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        k_features = q_features if k_features is None else k_features
        v_features = q_features if v_features is None else v_features
        self.num_head = num_head
        self.dim_head = dim_head
        self.out_features = q_features if out_features is None else out_features
        where: dict[str, Any] = {"device": device, "dtype": dtype}
        self.prenorm_q = LayerNorm1d(q_features, **where)
        self.prenorm_k = LayerNorm1d(k_features, **where)
        self.prenorm_v = LayerNorm1d(v_features, **where)
        inner = num_head * dim_head
        self.q_projection = Linear(q_features, inner, bias=False, **where)
        self.k_projection = Linear(k_features, inner, bias=False, **where)
        self.v_projection = Linear(v_features, inner, bias=False, **where)
        self.attn = MultiHeadAttention(dropout=dropout, causal=causal, **where)
        self.out_projection = Linear(inner, self.out_features, bias=False, **where)

    def heads(self, x: Tensor, norm: LayerNorm1d, projection: Linear) -> Tensor:
        """(batch, T, features) to (batch, heads, T, dim_head)."""
        batch, length, features = x.shape
        rows = projection(norm(x.reshape((batch * length, features))))
        return rows.reshape((batch, length, self.num_head, self.dim_head)).transpose((1, 2))

    def forward(self, q: Tensor, k: Tensor | None = None, v: Tensor | None = None) -> Tensor:
        k = q if k is None else k
        v = k if v is None else v
        for name, x in (("q", q), ("k", k), ("v", v)):
            if x.ndim != 3:
                raise ValueError(f"AttentionLayer: {name} has shape {x.shape}, but needs (batch, T, features)")
        result, _ = self.attn(
            self.heads(q, self.prenorm_q, self.q_projection),
            self.heads(k, self.prenorm_k, self.k_projection),
            self.heads(v, self.prenorm_v, self.v_projection),
        )
        batch, length, _ = q.shape
        rows = result.transpose((1, 2)).reshape((batch * length, self.num_head * self.dim_head))
        return self.out_projection(rows).reshape((batch, length, self.out_features))


class TransformerLayer(Module):
    """x + attention(x), then x + a two-layer network of x, both with dropout.

    Shapes: (batch, T, q_features) in and out.
    """

    def __init__(
        self,
        q_features: int,
        num_head: int,
        dim_head: int,
        hidden_size: int,
        *,
        dropout: float = 0.0,
        causal: bool = True,
        device: Any = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        where: dict[str, Any] = {"device": device, "dtype": dtype}
        self.attention = Sequential(
            AttentionLayer(q_features, num_head, dim_head, dropout=dropout, causal=causal, **where), Dropout(dropout)
        )
        self.feed_forward = Residual(
            Sequential(
                LayerNorm1d(q_features, **where),
                Linear(q_features, hidden_size, **where),
                ReLU(),
                Dropout(dropout),
                Linear(hidden_size, q_features, **where),
                Dropout(dropout),
            )
        )

    def forward(self, x: Tensor) -> Tensor:
        batch, length, features = x.shape
        x = x + self.attention(x)
        return self.feed_forward(x.reshape((batch * length, features))).reshape((batch, length, features))


class Transformer(Module):
    """Layers over a sequence with learned positions; the second result is the zeros a recurrent net's state would be.

    Shapes: (T, batch, embedding_size), or (batch, T, embedding_size) with `batch_first`; T at most sequence_len.
    """

    def __init__(
        self,
        embedding_size: int,
        hidden_size: int,
        num_layers: int,
        *,
        num_head: int = 8,
        dim_head: int = 32,
        dropout: float = 0.0,
        causal: bool = True,
        device: Any = None,
        dtype: Any = "float32",
        batch_first: bool = False,
        sequence_len: int = 2048,
    ) -> None:
        super().__init__()
        where: dict[str, Any] = {"device": device, "dtype": dtype}
        self.batch_first = batch_first
        self.sequence_len = sequence_len
        self.positions = Embedding(sequence_len, embedding_size, **where)  # drawn before the layers
        self.layers = [
            TransformerLayer(embedding_size, num_head, dim_head, hidden_size, dropout=dropout, causal=causal, **where)
            for _ in range(num_layers)
        ]

    def forward(self, x: Tensor, h: Any = None) -> tuple[Tensor, Tensor]:
        if x.ndim != 3:
            raise ValueError(f"Transformer: the input has shape {x.shape}, but needs three axes")
        x = x if self.batch_first else x.transpose((0, 1))
        batch, length, features = x.shape
        if length > self.sequence_len:
            raise ValueError(f"Transformer: {length} positions, but sequence_len is {self.sequence_len}")
        numbers = Tensor(np.arange(length, dtype="float32"), device=x.device, dtype=x.dtype, requires_grad=False)
        x = x + self.positions(numbers).reshape((1, length, features)).broadcast_to(x.shape)
        for layer in self.layers:
            x = layer(x)
        x = x if self.batch_first else x.transpose((0, 1))
        return x, init.zeros_like(x)
