"""Networks: a residual MLP, a small residual convolutional net, and a language model."""

from __future__ import annotations

from typing import Any

from . import nn
from .autograd import Tensor


def ResidualBlock(
    dim: int, hidden_dim: int, norm: Any = nn.BatchNorm1d, drop_prob: float = 0.1, **where: Any
) -> nn.Module:
    """relu(x + two normalised linear layers of x)."""
    return nn.Sequential(
        nn.Residual(
            nn.Sequential(
                nn.Linear(dim, hidden_dim, **where),
                norm(hidden_dim, **where),
                nn.ReLU(),
                nn.Dropout(drop_prob),
                nn.Linear(hidden_dim, dim, **where),
                norm(dim, **where),
            )
        ),
        nn.ReLU(),
    )


def MLPResNet(
    dim: int,
    hidden_dim: int = 100,
    num_blocks: int = 3,
    num_classes: int = 10,
    norm: Any = nn.BatchNorm1d,
    drop_prob: float = 0.1,
    **where: Any,
) -> nn.Module:
    """Linear and relu, residual blocks of inner size hidden_dim // 2, and a linear layer to the classes."""
    blocks = [ResidualBlock(hidden_dim, hidden_dim // 2, norm, drop_prob, **where) for _ in range(num_blocks)]
    return nn.Sequential(
        nn.Linear(dim, hidden_dim, **where), nn.ReLU(), *blocks, nn.Linear(hidden_dim, num_classes, **where)
    )


def ConvBN(
    in_channels: int, out_channels: int, kernel_size: int, stride: int, device: Any = None, dtype: Any = "float32"
) -> nn.Module:
    """Convolution, batch normalisation, relu."""
    return nn.Sequential(
        nn.Conv(in_channels, out_channels, kernel_size, stride, device=device, dtype=dtype),
        nn.BatchNorm2d(out_channels, device=device, dtype=dtype),
        nn.ReLU(),
    )


class ResNet9(nn.Module):
    """Images (n, 3, 32, 32) to 10 classes."""

    def __init__(self, device: Any = None, dtype: Any = "float32") -> None:
        super().__init__()
        where: dict[str, Any] = {"device": device, "dtype": dtype}
        self.layers = nn.Sequential(
            ConvBN(3, 16, 7, 4, **where),
            ConvBN(16, 32, 3, 2, **where),
            nn.Residual(nn.Sequential(ConvBN(32, 32, 3, 1, **where), ConvBN(32, 32, 3, 1, **where))),
            ConvBN(32, 64, 3, 2, **where),
            ConvBN(64, 128, 3, 2, **where),
            nn.Residual(nn.Sequential(ConvBN(128, 128, 3, 1, **where), ConvBN(128, 128, 3, 1, **where))),
            nn.Flatten(),
            nn.Linear(128, 128, **where),
            nn.ReLU(),
            nn.Linear(128, 10, **where),
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)


class LanguageModel(nn.Module):
    """Embedding, a sequence model (`rnn`, `lstm` or `transformer`), and a linear layer to the next symbol's logits.

    Shapes: x (length, batch); returns logits (length * batch, output_size) and the state h for the next piece.
    """

    def __init__(
        self,
        embedding_size: int,
        output_size: int,
        hidden_size: int,
        num_layers: int = 1,
        seq_model: str = "rnn",
        seq_len: int = 40,
        device: Any = None,
        dtype: Any = "float32",
        **transformer: Any,
    ) -> None:
        super().__init__()
        where: dict[str, Any] = {"device": device, "dtype": dtype}
        self.embedding = nn.Embedding(output_size, embedding_size, **where)
        features = hidden_size
        if seq_model == "rnn":
            self.seq_model: nn.Module = nn.RNN(embedding_size, hidden_size, num_layers, **where)
        elif seq_model == "lstm":
            self.seq_model = nn.LSTM(embedding_size, hidden_size, num_layers, **where)
        elif seq_model == "transformer":
            self.seq_model = nn.Transformer(
                embedding_size, hidden_size, num_layers, sequence_len=seq_len, **transformer, **where
            )
            features = embedding_size
        else:
            raise ValueError(f"LanguageModel: seq_model must be rnn, lstm or transformer, not {seq_model!r}")
        self.linear = nn.Linear(features, output_size, **where)

    def forward(self, x: Tensor, h: Any = None) -> tuple[Tensor, Any]:
        length, batch = x.shape
        y, h = self.seq_model(self.embedding(x), h)
        return self.linear(y.reshape((length * batch, y.shape[2]))), h
