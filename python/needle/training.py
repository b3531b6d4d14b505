"""Training loops: classifiers over a DataLoader, language models over a batchified text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import nn, optim
from .autograd import Tensor, no_grad
from .data import get_batch


@dataclass
class Epoch:
    """What one pass over the data gave; the loss is the mean per sample (per symbol for a language model)."""

    accuracy: float
    loss: float
    samples: int
    batch_losses: list[float] = field(default_factory=list)


def device_of_model(model: nn.Module) -> Any:
    """The one device of a model's tensors. Errors: ValueError when the model has none, or tensors on two devices."""
    tensors = model.named_tensors()
    if not tensors:
        raise ValueError(f"{type(model).__name__} has no tensors, so it is on no device")
    first_name, first = next(iter(tensors.items()))
    for name, tensor in tensors.items():
        if tensor.device != first.device:
            raise ValueError(
                f"{type(model).__name__}: {first_name} is on {first.device!r}, but {name} is on {tensor.device!r}"
            )
    return first.device


def _mode(model: nn.Module, training: bool) -> None:
    if training:
        model.train()
    else:
        model.eval()


class _Tally:
    """Adds up batches to an Epoch."""

    def __init__(self) -> None:
        self.correct = 0
        self.samples = 0
        self.losses: list[float] = []
        self.total = 0.0

    def add(self, logits: Tensor, y: Tensor, loss: Tensor) -> None:
        count = y.shape[0]
        value = float(loss.numpy().sum())
        self.correct += int((logits.numpy().argmax(axis=1) == y.numpy()).sum())
        self.samples += count
        self.total += value * count
        self.losses.append(value)

    def epoch(self, what: str) -> Epoch:
        if self.samples == 0:
            raise ValueError(f"{what}: there is no batch in the data")
        return Epoch(self.correct / self.samples, self.total / self.samples, self.samples, self.losses)


def _step(loss: Tensor, opt: optim.Optimizer, clip: float | None) -> None:
    opt.reset_grad()
    loss.backward(create_graph=False)
    if clip is not None:
        opt.clip_grad_norm(clip)
    opt.step()


def classifier_epoch(
    loader: Iterable[tuple[Tensor, ...]],
    model: nn.Module,
    loss_fn: nn.Module | None = None,
    opt: optim.Optimizer | None = None,
) -> Epoch:
    """One pass: in training mode with an optimiser, else in evaluation mode and without gradients.

    Batches are moved to the model's device. Errors: ValueError when there is no batch, or a label out of range.
    """
    loss_fn = nn.SoftmaxLoss() if loss_fn is None else loss_fn
    device, tally = device_of_model(model), _Tally()
    _mode(model, opt is not None)
    for batch in loader:
        x, y = (Tensor(part, device=device, requires_grad=False) for part in batch)
        if opt is None:
            with no_grad():
                logits = model(x)
                tally.add(logits, y, loss_fn(logits, y))
        else:
            logits = model(x)
            loss = loss_fn(logits, y)
            _step(loss, opt, None)
            tally.add(logits, y, loss)
    return tally.epoch("classifier_epoch")


def detach_state(h: Any) -> Any:
    """The hidden state without its graph, so that gradients end where a piece of text begins."""
    if h is None:
        return None
    return tuple(map(detach_state, h)) if isinstance(h, (tuple, list)) else h.detach()


def language_epoch(
    batches: np.ndarray,
    model: nn.Module,
    seq_len: int = 40,
    loss_fn: nn.Module | None = None,
    opt: optim.Optimizer | None = None,
    clip: float | None = None,
    dtype: Any = "float32",
) -> Epoch:
    """One pass over a batchified text in pieces of seq_len rows; the hidden state goes on from piece to piece."""
    loss_fn = nn.SoftmaxLoss() if loss_fn is None else loss_fn
    device, tally, h = device_of_model(model), _Tally(), None
    _mode(model, opt is not None)
    for i in range(0, len(batches) - 1, seq_len):
        x, y = get_batch(batches, i, seq_len, device=device, dtype=dtype)
        if opt is None:
            with no_grad():
                logits, h = model(x, h)
                tally.add(logits, y, loss_fn(logits, y))
        else:
            logits, h = model(x, h)
            loss = loss_fn(logits, y)
            _step(loss, opt, clip)
            tally.add(logits, y, loss)
        h = detach_state(h)
    return tally.epoch("language_epoch")


def fit(
    one_epoch: Callable[[optim.Optimizer | None], Epoch],
    model: nn.Module,
    epochs: int,
    optimizer: Callable[..., optim.Optimizer] = optim.Adam,
    report: Callable[[int, Epoch], None] | None = None,
    **settings: Any,
) -> list[Epoch]:
    """Train for some epochs with one optimiser made from `settings`; `report` hears of each epoch, from 1 up."""
    if epochs < 1:
        raise ValueError(f"fit: epochs must be at least 1, got {epochs}")
    opt, history = optimizer(model.parameters(), **settings), []
    for number in range(1, epochs + 1):
        history.append(one_epoch(opt))
        if report:
            report(number, history[-1])
    return history
