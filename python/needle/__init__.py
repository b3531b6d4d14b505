"""Needle: a small deep learning library on an array library whose kernels are yours to write."""

from . import autograd, data, init, models, nn, ops, optim  # noqa: F401
from .autograd import Tensor, TensorTuple, no_grad  # noqa: F401
from .backend_selection import *  # noqa: F403
from .init import *  # noqa: F403
from .ops import *  # noqa: F403

__version__ = "0.1.0"
