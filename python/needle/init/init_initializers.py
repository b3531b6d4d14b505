"""First values of weights: Glorot and Bengio 2010 (xavier), He and others 2015 (kaiming)."""

from __future__ import annotations

import math
from typing import Any

from ..autograd import Tensor
from .init_basic import rand, randn


def xavier_uniform(fan_in: int, fan_out: int, gain: float = 1.0, **kwargs: Any) -> Tensor:
    """Uniform on ±gain·√(6 / (fan_in + fan_out)), shape (fan_in, fan_out)."""
    bound = gain * math.sqrt(6 / (fan_in + fan_out))
    return rand(fan_in, fan_out, low=-bound, high=bound, **kwargs)


def xavier_normal(fan_in: int, fan_out: int, gain: float = 1.0, **kwargs: Any) -> Tensor:
    """Normal with standard deviation gain·√(2 / (fan_in + fan_out)), shape (fan_in, fan_out)."""
    return randn(fan_in, fan_out, std=gain * math.sqrt(2 / (fan_in + fan_out)), **kwargs)


def kaiming_uniform(
    fan_in: int, fan_out: int, shape: tuple[int, ...] | None = None, nonlinearity: str = "relu", **kwargs: Any
) -> Tensor:
    """Uniform on ±√2·√(3 / fan_in), shape (fan_in, fan_out) or `shape`; the bound always comes from `fan_in`."""
    _check(nonlinearity)
    bound = math.sqrt(2) * math.sqrt(3 / fan_in)
    return rand(*(shape or (fan_in, fan_out)), low=-bound, high=bound, **kwargs)


def kaiming_normal(fan_in: int, fan_out: int, nonlinearity: str = "relu", **kwargs: Any) -> Tensor:
    """Normal with standard deviation √2 / √fan_in, shape (fan_in, fan_out)."""
    _check(nonlinearity)
    return randn(fan_in, fan_out, std=math.sqrt(2) / math.sqrt(fan_in), **kwargs)


def _check(nonlinearity: str) -> None:
    if nonlinearity != "relu":
        raise ValueError(f"kaiming: only the gain of relu is known, not of {nonlinearity!r}")
