"""Parameter and Module: a module is any object that holds parameters and other modules in its attributes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..autograd import Tensor


class Parameter(Tensor):
    """A tensor that training changes."""


def _walk(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Tensors and modules below a value with their dotted names, through modules, dicts, lists and tuples, in order."""
    if isinstance(value, Tensor):
        yield name, value
        return
    if isinstance(value, Module):
        yield name, value
        items: Any = value.__dict__.items()
    elif isinstance(value, dict):
        items = value.items()
    elif isinstance(value, (list, tuple)):
        items = enumerate(value)
    else:
        return
    for key, item in items:
        yield from _walk(item, f"{name}.{key}" if name else str(key))


class Module:
    """A part of a network: `forward` computes, attributes hold the parameters and the smaller parts.

    Example: `class Twice(Module): forward = lambda self, x: x + x`.
    """

    def __init__(self) -> None:
        self.training = True

    def parameters(self) -> list[Parameter]:
        """All parameters, in the order of attributes; plain tensors, such as running statistics, are not among them."""
        return [value for _, value in _walk(self, "") if isinstance(value, Parameter)]

    def named_tensors(self) -> dict[str, Tensor]:
        """Parameters and other tensors (running statistics) by name: all that a checkpoint must hold."""
        return {name: value for name, value in _walk(self, "") if isinstance(value, Tensor)}

    def _children(self) -> list[Module]:
        return [value for _, value in _walk(self, "") if isinstance(value, Module) and value is not self]

    def eval(self) -> None:
        """Set `training` to False here and in all parts."""
        for module in (self, *self._children()):
            module.training = False

    def train(self) -> None:
        """Set `training` to True here and in all parts."""
        for module in (self, *self._children()):
            module.training = True

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__}: forward is not written")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)
