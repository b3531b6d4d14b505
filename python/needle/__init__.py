"""Needle: a small deep learning library on an array library whose kernels are yours to write."""

from . import data, init, models, nn, ops, optim
from .autograd import Tensor, TensorTuple, no_grad
from .backend_selection import *
from .init import *
from .ops import *

__version__ = "0.1.0"
