"""`python -m needle.train digits|charlm`: train a small network here and now, and see that it learns."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from . import backend_ndarray, data, models, nn, optim, training
from .backend_numpy import CPUDevice
from .checkpoint import load_checkpoint, save_checkpoint

DEVICES = ("cpu_numpy", "cpu", "cuda", "cuda_sim", "np")
DEFAULT_EPOCHS = {"digits": 20, "charlm": 10}
DEFAULT_LR = {"digits": 3e-3, "charlm": 1e-2}
SEQ_LEN, BATCH = 16, 32


class UserError(Exception):
    """A mistake in the call: shown as one line, without a traceback."""


def device_by_name(name: str) -> Any:
    """The device, usable. Errors: UserError with the reason why it is not."""
    if name == "np":
        return CPUDevice()
    device = getattr(backend_ndarray, name)()
    if not device.enabled():
        raise UserError(f"device {name}: {device.reason}")
    return device


def digits_task(device: Any) -> tuple[nn.Module, Callable[..., Any], Callable[[], Any]]:
    """The model, one training epoch as a function of the optimiser, and the evaluation on the test set."""
    train, test = data.load_digits_split()
    model = nn.Sequential(nn.Linear(64, 128, device=device), nn.ReLU(), nn.Linear(128, 10, device=device))
    loader = data.DataLoader(train, batch_size=64, shuffle=True, device=device)
    test_loader = data.DataLoader(test, batch_size=256, device=device)
    return (
        model,
        lambda opt: training.classifier_epoch(loader, model, opt=opt),
        lambda: training.classifier_epoch(test_loader, model),
    )


def charlm_task(device: Any, seq_model: str) -> tuple[nn.Module, Callable[..., Any], Callable[[], Any]]:
    """As digits_task, for a language model on the characters of the text in this package."""
    text = data.CharacterText(data.lesson_text())
    train, test = data.batchify(text.train, BATCH), data.batchify(text.test, 4)
    sizes: dict[str, Any] = {"num_head": 2, "dim_head": 16} if seq_model == "transformer" else {}
    model = models.LanguageModel(
        32, len(text.dictionary), 64, seq_model=seq_model, seq_len=SEQ_LEN, device=device, **sizes
    )
    return (
        model,
        lambda opt: training.language_epoch(train, model, SEQ_LEN, opt=opt, clip=1.0),
        lambda: training.language_epoch(test, model, SEQ_LEN),
    )


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m needle.train", description=__doc__)
    parser.add_argument("task", choices=("digits", "charlm"))
    parser.add_argument("--device", choices=DEVICES, default="cpu_numpy", help="default: %(default)s")
    parser.add_argument("--epochs", type=int, help="default: 20 for digits, 10 for charlm")
    parser.add_argument("--seed", type=int, default=0, help="of weights, order and dropout; default: %(default)s")
    parser.add_argument("--lr", type=float, help="step size of Adam, default: 0.003 for digits, 0.01 for charlm")
    parser.add_argument("--model", choices=("rnn", "lstm", "transformer"), default="lstm", help="for charlm")
    parser.add_argument("--load", metavar="FILE", help="start from this checkpoint")
    parser.add_argument("--save", metavar="FILE", help="write a checkpoint at the end")
    parser.add_argument("--plot", metavar="FILE", help="draw the losses, for example loss.png")
    options = parser.parse_args(arguments)
    options.epochs = DEFAULT_EPOCHS[options.task] if options.epochs is None else options.epochs
    options.lr = DEFAULT_LR[options.task] if options.lr is None else options.lr
    if options.epochs < 1:
        parser.error(f"--epochs must be at least 1, got {options.epochs}")
    if not 0 <= options.seed < 2**32:
        parser.error(f"--seed must be from 0 to 2**32 - 1, got {options.seed}")
    for path in (options.save, options.plot):  # before the training, not after it
        if path and not Path(path).absolute().parent.is_dir():
            parser.error(f"{path}: there is no folder {Path(path).parent}")
    return options


def draw_losses(path: str, history: list[training.Epoch], title: str) -> None:
    """Write a picture of the loss after each batch."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4))
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    losses = [loss for epoch in history for loss in epoch.batch_losses]
    axes.plot(np.arange(1, len(losses) + 1) * len(history) / len(losses), losses, linewidth=0.8)
    axes.set(xlabel="epoch", ylabel="loss of a batch", title=title, ylim=(0, None))
    figure.tight_layout()
    figure.savefig(path)


def run(options: argparse.Namespace) -> list[training.Epoch]:
    """Train as the options say; prints one line per epoch."""
    device = device_by_name(options.device)
    np.random.seed(options.seed)  # the program's own choice: nothing in the library seeds
    make = digits_task if options.task == "digits" else lambda where: charlm_task(where, options.model)
    model, one_epoch, evaluate = make(device)
    if options.load:
        load_checkpoint(options.load, model)
    started = time.perf_counter()

    def report(number: int, epoch: training.Epoch) -> None:
        seen = evaluate()
        print(
            f"epoch {number:3}/{options.epochs}  loss {epoch.loss:.4f}  accuracy {epoch.accuracy:6.2%}"
            f"  test loss {seen.loss:.4f}  test accuracy {seen.accuracy:6.2%}  {time.perf_counter() - started:6.1f} s",
            flush=True,
        )

    settings = {"lr": options.lr, "weight_decay": 1e-4 if options.task == "digits" else 0.0}
    history = training.fit(one_epoch, model, options.epochs, optim.Adam, report, **settings)
    if options.save:
        save_checkpoint(options.save, model, {"task": options.task, "epochs": options.epochs, "seed": options.seed})
        print(f"saved {options.save}")
    if options.plot:
        draw_losses(options.plot, history, f"{options.task} on {options.device}, seed {options.seed}")
        print(f"drew {options.plot}")
    return history


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    try:
        run(options)
    except (UserError, ImportError, OSError, ValueError) as error:
        print(f"needle.train: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("needle.train: stopped; nothing was saved", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
