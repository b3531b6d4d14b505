"""Compares every operator and layer with PyTorch, and writes the figures into python/needle/ops/README.md.

    PYTHONPATH=python python benchmarks/agreement_with_pytorch.py [--write]

Needs PyTorch (the CPU build is enough). Both sides get the same inputs and the same upstream gradient. Figures are the
largest difference divided by the largest magnitude of PyTorch's float64 result, for the value and for all gradients.
"""

from __future__ import annotations

import argparse
import platform
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

import needle as ndl
from needle import nn, ops
from needle.autograd import Tensor
from needle.backend_numpy import CPUDevice

README = Path(__file__).resolve().parents[1] / "python/needle/ops/README.md"
Case = tuple[Callable[..., Any], Callable[..., Any], list[tuple[int, ...]]]
M, A = (3, 4), (2, 3, 4)


def layer(make: Callable[[dict[str, Any]], Any], names: Sequence[str]) -> Callable[..., Any]:
    """A function of the input and the weights: the weights are put into a new layer in place of its own."""

    def run(x: Tensor, *weights: Tensor) -> Any:
        module = make({"device": x.device, "dtype": x.dtype})
        for name, weight in zip(names, weights, strict=True):
            *path, last = name.split(".")
            owner = module
            for part in path:
                owner = owner[int(part)] if part.isdigit() else getattr(owner, part)
            setattr(owner, last, weight)
        return module(x)

    return run


def torch_recurrent(kind: Any, inputs: int, hidden: int) -> Callable[..., Any]:
    def run(x: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
        module = kind(inputs, hidden).to(x.dtype)
        weights = dict(zip(("weight_ih_l0", "weight_hh_l0"), (w_ih.T, w_hh.T), strict=True))
        weights |= {"bias_ih_l0": b_ih, "bias_hh_l0": b_hh}
        return torch.func.functional_call(module, weights, (x,))[0]

    return run


def attention(q: Any, k: Any, v: Any) -> Any:
    return nn.MultiHeadAttention(causal=True, device=q.device, dtype=q.dtype)(q, k, v)[0]


def batchnorm(x: Any, w: Any, b: Any) -> Any:
    return F.batch_norm(x, None, None, w, b, training=True)


OPERATORS: dict[str, Case] = {
    "add": (ops.add, torch.add, [M, M]),
    "subtract": (lambda a, b: a - b, torch.sub, [M, M]),
    "multiply": (ops.multiply, torch.mul, [M, M]),
    "divide": (ops.divide, torch.div, [M, M]),
    "maximum": (ops.maximum, torch.maximum, [M, M]),
    "1 - x": (lambda a: 1 - a, lambda a: 1 - a, [M]),
    "2 / x": (lambda a: 2 / a, lambda a: 2 / a, [M]),
    "3 ** x": (lambda a: 3**a, lambda a: 3**a, [M]),
    "x ** 3": (lambda a: a**3, lambda a: a**3, [M]),
    "negate": (ops.negate, torch.neg, [M]),
    "exp": (ops.exp, torch.exp, [M]),
    "log": (lambda a: ops.log(a * a), lambda a: torch.log(a * a), [M]),
    "tanh": (ops.tanh, torch.tanh, [M]),
    "relu": (ops.relu, torch.relu, [M]),
    "sigmoid": (ops.sigmoid, torch.sigmoid, [M]),
    "abs": (ops.absolute, torch.abs, [M]),
    "sqrt": (lambda a: (a * a).sqrt(), lambda a: (a * a).sqrt(), [M]),
    "clip": (lambda a: a.clip(-0.5, 0.5), lambda a: a.clamp(-0.5, 0.5), [M]),
    "sum": (lambda a: a.sum((0, 2)), lambda a: a.sum((0, 2)), [A]),
    "mean": (lambda a: a.mean(1), lambda a: a.mean(1), [A]),
    "max": (lambda a: a.max(1), lambda a: a.amax(1), [A]),
    "min": (lambda a: a.min((0, 1)), lambda a: a.amin((0, 1)), [A]),
    "logsumexp": (lambda a: ops.logsumexp(a, (0, 2)), lambda a: a.logsumexp((0, 2)), [A]),
    "softmax": (ops.softmax, lambda a: a.softmax(-1), [A]),
    "logsoftmax": (ops.logsoftmax, lambda a: a.log_softmax(-1), [A]),
    "matmul": (ops.matmul, torch.matmul, [(2, 3, 4), (4, 5)]),
    "matmul, batches": (ops.matmul, torch.matmul, [(2, 1, 3, 4), (3, 4, 2)]),
    "transpose": (lambda a: a.transpose((0, 2)), lambda a: a.transpose(0, 2), [A]),
    "permute": (lambda a: ops.permute(a, (2, 0, 1)), lambda a: a.permute(2, 0, 1), [A]),
    "reshape": (lambda a: a.reshape((4, 6)), lambda a: a.reshape(4, 6), [A]),
    "broadcast_to": (lambda a: a.broadcast_to((2, 3, 4)), lambda a: a.broadcast_to((2, 3, 4)), [(3, 1)]),
    "flip": (lambda a: ops.flip(a, (0, 2)), lambda a: a.flip((0, 2)), [A]),
    "stack": (lambda a, b: ops.stack([a, b], 1), lambda a, b: torch.stack([a, b], 1), [A, A]),
    "split": (lambda a: ops.split(a, 1)[1], lambda a: a.unbind(1)[1], [A]),
    "pad": (lambda a: ops.pad(a, [(1, 0), (0, 2)]), lambda a: F.pad(a, (0, 2, 1, 0)), [M]),
    "conv, stride 2, padding 1": (
        lambda a, b: ops.conv(a, b, stride=2, padding=1),
        lambda a, b: F.conv2d(a.permute(0, 3, 1, 2), b.permute(3, 2, 0, 1), stride=2, padding=1).permute(0, 2, 3, 1),
        [(2, 8, 7, 3), (3, 3, 3, 4)],
    ),
}

CELL = ["W_ih", "W_hh", "bias_ih", "bias_hh"]
LAYERS: dict[str, Case] = {
    "Linear": (
        layer(lambda kw: nn.Linear(4, 5, **kw), ["weight", "bias"]),
        lambda x, w, b: F.linear(x, w.T, b[0]),
        [(3, 4), (4, 5), (1, 5)],
    ),
    "BatchNorm1d": (layer(lambda kw: nn.BatchNorm1d(4, **kw), ["weight", "bias"]), batchnorm, [(6, 4), (4,), (4,)]),
    "BatchNorm2d": (
        layer(lambda kw: nn.BatchNorm2d(3, **kw), ["weight", "bias"]),
        batchnorm,
        [(2, 3, 4, 4), (3,), (3,)],
    ),
    "LayerNorm1d": (
        layer(lambda kw: nn.LayerNorm1d(4, **kw), ["weight", "bias"]),
        lambda x, w, b: F.layer_norm(x, (4,), w, b),
        [(6, 4), (4,), (4,)],
    ),
    "SoftmaxLoss": (
        lambda x: nn.SoftmaxLoss()(x, Tensor(np.arange(6) % 4, device=x.device, dtype=x.dtype)),
        lambda x: F.cross_entropy(x, torch.arange(6) % 4),
        [(6, 4)],
    ),
    "Conv": (
        layer(lambda kw: nn.Conv(3, 4, 3, stride=2, **kw), ["weight", "bias"]),
        lambda x, w, b: F.conv2d(x, w.permute(3, 2, 0, 1), b, stride=2, padding=1),
        [(2, 3, 8, 7), (3, 3, 3, 4), (4,)],
    ),
    "RNN": (
        lambda *a: layer(lambda kw: nn.RNN(4, 5, **kw), [f"rnn_cells.0.{name}" for name in CELL])(*a)[0],
        torch_recurrent(torch.nn.RNN, 4, 5),
        [(6, 2, 4), (4, 5), (5, 5), (5,), (5,)],
    ),
    "LSTM": (
        lambda *a: layer(lambda kw: nn.LSTM(4, 5, **kw), [f"lstm_cells.0.{name}" for name in CELL])(*a)[0],
        torch_recurrent(torch.nn.LSTM, 4, 5),
        [(6, 2, 4), (4, 20), (5, 20), (20,), (20,)],
    ),
    "MultiHeadAttention, causal": (
        attention,
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
        [(2, 2, 5, 4)] * 3,
    ),
}


def results(function: Callable[..., Any], tensors: list[Any], upstream: Any) -> tuple[Any, list[Any]]:
    out = function(*tensors)
    out.backward(upstream(out))
    return out, [tensor.grad for tensor in tensors]


def compare(case: Case, device: Any, dtype: str) -> tuple[float, float]:
    """The relative differences of the value and of the gradients."""
    ours, theirs, shapes = case
    generator = np.random.default_rng(7)
    arrays = [generator.uniform(0.3, 1.5, s) * generator.choice([-1, 1], s) for s in shapes]
    arrays = [array.astype("float32").astype("float64") for array in arrays]  # exact in both types

    def weights(shape: Any) -> np.ndarray:
        return np.sin(1 + np.arange(int(np.prod(shape)))).astype("float32").reshape(tuple(shape))

    theirs_in = [torch.tensor(array, requires_grad=True) for array in arrays]
    want, want_grads = results(theirs, theirs_in, lambda out: torch.tensor(weights(out.shape), dtype=out.dtype))
    ours_in = [Tensor(array, device=device, dtype=dtype) for array in arrays]
    have, have_grads = results(ours, ours_in, lambda out: Tensor(weights(out.shape), device=device, dtype=dtype))

    def difference(a: Any, b: Any) -> float:
        b = b.detach().numpy()
        return float(np.abs(a.numpy().reshape(b.shape) - b).max() / np.abs(b).max())

    return difference(have, want), max(difference(a, b) for a, b in zip(have_grads, want_grads, strict=True))


def processor() -> str:
    try:
        found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), flags=re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()


def table(cases: dict[str, Case], failures: list[str]) -> list[str]:
    lines = ["| | float64: value | gradients | float32 on `cpu()`: value | gradients |", "|---|---|---|---|---|"]
    for name, case in cases.items():
        exact, single = compare(case, CPUDevice(), "float64"), compare(case, ndl.cpu(), "float32")
        lines.append(f"| {name} | " + " | ".join(f"{value:.0e}" for value in (*exact, *single)) + " |")
        if max(exact) > 1e-12 or max(single) > 1e-5:
            failures.append(f"{name}: {exact}, {single}")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the tables into the README of ops")
    options = parser.parse_args()
    if not ndl.cpu().enabled():
        print(f"cpu(): {ndl.cpu().reason}", file=sys.stderr)
        return 1
    failures: list[str] = []
    text = [f"PyTorch {torch.__version__}, NumPy {np.__version__}, {processor()}.", "", "Operators:", ""]
    text += [*table(OPERATORS, failures), "", "Layers, by their input and all their weights:", ""]
    text += table(LAYERS, failures)
    print("\n".join(text))
    if options.write:
        readme = README.read_text()
        begin, end = "<!-- BEGIN agreement_with_pytorch -->", "<!-- END agreement_with_pytorch -->"
        head, _, rest = readme.partition(begin)
        README.write_text(head + begin + "\n" + "\n".join(text) + "\n" + end + rest.partition(end)[2])
    for failure in failures:
        print(f"DISAGREES {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
