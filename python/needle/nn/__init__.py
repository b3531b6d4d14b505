"""Layers: every one a Module whose `forward` is written with operators."""

from .basic import Dropout, Flatten, Identity, Linear, ReLU, Residual, Sequential, Sigmoid, SoftmaxLoss, Tanh
from .conv import Conv
from .module import Module, Parameter
from .normalization import BatchNorm1d, BatchNorm2d, LayerNorm1d
from .sequence import LSTM, RNN, Embedding, LSTMCell, RNNCell
from .transformer import AttentionLayer, MultiHeadAttention, Transformer, TransformerLayer

__all__ = [
    "LSTM",
    "RNN",
    "AttentionLayer",
    "BatchNorm1d",
    "BatchNorm2d",
    "Conv",
    "Dropout",
    "Embedding",
    "Flatten",
    "Identity",
    "LSTMCell",
    "LayerNorm1d",
    "Linear",
    "Module",
    "MultiHeadAttention",
    "Parameter",
    "RNNCell",
    "ReLU",
    "Residual",
    "Sequential",
    "Sigmoid",
    "SoftmaxLoss",
    "Tanh",
    "Transformer",
    "TransformerLayer",
]
