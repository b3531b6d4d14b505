"""Trains the small networks on one device and writes accuracy, losses and times into python/needle/nn/README.md.

PYTHONPATH=python python benchmarks/training_figures.py [--device cpu] [--write]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import platform
import re
import statistics
import sys
import time
from pathlib import Path

from needle import train, training

README = Path(__file__).resolve().parents[1] / "python/needle/nn/README.md"


def run(arguments: list[str]) -> tuple[list[training.Epoch], float, float]:
    """The history, the last test accuracy in percent, and the seconds of a run of `python -m needle.train`."""
    printed, started = io.StringIO(), time.perf_counter()
    with contextlib.redirect_stdout(printed):
        history = train.run(train.parse(arguments))
    accuracy = re.findall(r"test accuracy\s+([\d.]+)%", printed.getvalue())[-1]
    return history, float(accuracy), time.perf_counter() - started


def digits(device: str) -> list[str]:
    runs = [run(["digits", "--device", device, "--seed", str(seed)]) for seed in range(3)]
    accuracies, seconds = [accuracy for _, accuracy, _ in runs], [spent for _, _, spent in runs]
    return [
        f"- digits, {len(runs[0][0])} epochs, seeds 0 to 2: test accuracy "
        + ", ".join(f"{accuracy:.2f} %" for accuracy in accuracies)
        + f", median {statistics.median(accuracies):.2f} %; longest run {max(seconds):.0f} s"
    ]


def charlm(device: str, epochs: int) -> list[str]:
    lines = []
    for model in ("lstm", "transformer"):
        history, accuracy, seconds = run(["charlm", "--model", model, "--device", device, "--epochs", str(epochs)])
        lines.append(
            f"- charlm, {model}, {epochs} epochs: loss {history[0].loss:.2f} in the first epoch, "
            f"{history[-1].loss:.2f} in the last, test accuracy {accuracy:.1f} %; {seconds:.0f} s"
        )
    return lines


def same_losses(device: str, epochs: int = 2) -> str:
    mine, reference = (
        [
            loss
            for epoch in run(["digits", "--device", where, "--epochs", str(epochs)])[0]
            for loss in epoch.batch_losses
        ]
        for where in (device, "cpu_numpy")
    )
    worst = max(abs(a - b) / abs(b) for a, b in zip(mine, reference, strict=True))
    return (
        f"- digits, {len(mine)} steps from one seed: the losses on {device} and on cpu_numpy differ by at most "
        f"{worst:.0e} of their value"
    )


def machine() -> str:
    try:
        found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), flags=re.MULTILINE)
    except OSError:
        found = None
    name = found[1] if found else platform.processor() or platform.machine()
    return f"{name}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu", choices=train.DEVICES)
    parser.add_argument("--epochs", type=int, default=4, help="of the language models")
    parser.add_argument("--write", action="store_true", help="put the figures into the README of nn")
    options = parser.parse_args()
    text = [f"On `{options.device}`, {machine()}:", ""]
    try:
        text += [*digits(options.device), *charlm(options.device, options.epochs), same_losses(options.device)]
    except (train.UserError, ImportError) as error:
        print(f"training_figures: {error}", file=sys.stderr)
        return 1
    print("\n".join(text))
    if options.write:
        begin, end = "<!-- BEGIN training_figures -->", "<!-- END training_figures -->"
        head, _, rest = README.read_text().partition(begin)
        README.write_text(head + begin + "\n" + "\n".join(text) + "\n" + end + rest.partition(end)[2])
    return 0


if __name__ == "__main__":
    sys.exit(main())
