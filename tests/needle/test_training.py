"""Training: it learns, it repeats, it keeps whole checkpoints, and a wrong call is one line without a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from needle import checkpoint, data, init, models, nn, optim, train, training
from needle.autograd import Tensor
from needle.backend_numpy import CPUDevice

NP: dict[str, Any] = {"device": CPUDevice()}


def points(count: int = 60) -> data.NDArrayDataset:
    """Two classes that a line divides."""
    x = np.random.default_rng(0).standard_normal((count, 2)).astype("float32")
    return data.NDArrayDataset(x, (x[:, 0] > x[:, 1]).astype("int32"))


def classifier(where: Any) -> nn.Module:
    np.random.seed(0)
    return nn.Sequential(nn.Linear(2, 8, device=where), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 2, device=where))


def test_a_classifier_learns_and_batches_follow_the_model_to_its_device(device: Any) -> None:
    model = classifier(device)
    loader = data.DataLoader(points(), 20, shuffle=True, device=CPUDevice())  # not the model's device
    history = training.fit(lambda opt: training.classifier_epoch(loader, model, opt=opt), model, 12, lr=0.05)
    assert history[-1].loss < history[0].loss / 2
    seen = training.classifier_epoch(loader, model)
    assert seen.accuracy > 0.9 and seen.samples == 60 and len(seen.batch_losses) == 3
    assert not model.training


def test_the_same_seed_gives_the_same_losses_on_every_device(device: Any) -> None:
    losses = []
    for where in (CPUDevice(), device, device):
        model = classifier(where)
        loader = data.DataLoader(points(), 20, shuffle=True, device=where)
        one_epoch = partial(training.classifier_epoch, loader, model, None)
        history = training.fit(one_epoch, model, 3, lr=0.05)
        losses.append([loss for epoch in history for loss in epoch.batch_losses])
    assert losses[1] == losses[2]
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-4)


def test_the_loss_of_an_epoch_is_the_mean_per_sample_also_with_a_short_last_batch() -> None:
    model, dataset = classifier(CPUDevice()), points(7)
    whole = training.classifier_epoch(data.DataLoader(dataset, 7, **NP), model)
    parts = training.classifier_epoch(data.DataLoader(dataset, 4, **NP), model)
    assert parts.loss == pytest.approx(whole.loss, rel=1e-6) and parts.accuracy == whole.accuracy
    assert all(parameter.grad is None for parameter in model.parameters())


def test_data_without_a_batch_and_labels_out_of_range_are_refused() -> None:
    model = classifier(CPUDevice())
    with pytest.raises(ValueError, match="classifier_epoch: there is no batch in the data"):
        training.classifier_epoch(data.DataLoader(points(0), 4, **NP), model)
    wrong = data.NDArrayDataset(np.zeros((3, 2), "float32"), np.array([0, 1, 2]))
    with pytest.raises(ValueError, match="label out of range"):
        training.classifier_epoch(data.DataLoader(wrong, 3, **NP), model)
    with pytest.raises(ValueError, match="fit: epochs must be at least 1, got 0"):
        training.fit(lambda opt: training.Epoch(0, 0, 0), model, 0)


def test_a_model_on_two_devices_is_named(device: Any) -> None:
    model = nn.Sequential(nn.Linear(2, 2, **NP), nn.Linear(2, 2, device=device))
    with pytest.raises(ValueError, match="Sequential: modules.0.weight is on needle.cpu.., but modules.1.weight is on"):
        training.classifier_epoch(data.DataLoader(points(), 4, **NP), model)


LANGUAGE = {  # after 4 epochs; a uniform guess costs ln 38 = 3.6, letters by their frequency alone about 2.9
    "lstm": (2.1, {}),
    "transformer": (2.4, {"num_head": 2, "dim_head": 8}),
}


@pytest.mark.parametrize("kind", LANGUAGE)
def test_a_small_language_model_falls_below_its_stated_loss(kind: str) -> None:
    bound, sizes = LANGUAGE[kind]
    text = data.CharacterText(data.lesson_text())
    batches = data.batchify(text.train, 32)
    np.random.seed(0)
    model = models.LanguageModel(24, len(text.dictionary), 32, seq_model=kind, seq_len=12, **sizes, **NP)

    def epoch(opt: Any) -> training.Epoch:
        return training.language_epoch(batches, model, 12, opt=opt, clip=1.0)

    history = training.fit(epoch, model, 4, optim.Adam, lr=0.02)
    assert history[-1].loss < bound < history[0].loss
    assert history[0].samples == (len(batches) - 1) * 32


def test_a_language_epoch_counts_every_symbol_and_carries_the_state_without_its_graph() -> None:
    states = []

    class Spy(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scale = nn.Parameter(np.ones((1, 1), "float32"), **NP)

        def forward(self, x: Tensor, h: Any) -> Any:
            states.append(h)
            length, batch = x.shape
            logits = x.reshape((length * batch, 1)) @ self.scale.broadcast_to((1, 3))
            return logits, (logits * 1.0, logits * 2.0)

    seen = training.language_epoch(data.batchify(np.arange(14) % 3, 2), Spy(), seq_len=4)
    assert seen.samples == 12 and len(seen.batch_losses) == 2
    assert states[0] is None and len(states[1]) == 2 and all(part.is_leaf() for part in states[1])


def test_a_checkpoint_restores_parameters_and_running_statistics(tmp_path: Path, device: Any) -> None:
    def make() -> nn.Module:
        return nn.Sequential(nn.Linear(2, 3, device=device), nn.BatchNorm1d(3, device=device))

    model, path = make(), tmp_path / "model.npz"
    model(Tensor(init.randn(4, 2, device=device)))
    checkpoint.save_checkpoint(path, model, {"epochs": 3})
    other = make()
    assert checkpoint.load_checkpoint(path, other) == {"epochs": 3}
    for name, tensor in model.named_tensors().items():
        np.testing.assert_array_equal(other.named_tensors()[name].numpy(), tensor.numpy())
    assert [file.name for file in tmp_path.iterdir()] == ["model.npz"]


def test_a_wrong_checkpoint_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    model = nn.Linear(2, 3, **NP)
    before = model.weight.numpy()
    path = tmp_path / "model.npz"
    with pytest.raises(FileNotFoundError, match="there is no such checkpoint"):
        checkpoint.load_checkpoint(path, model)
    checkpoint.save_checkpoint(path, nn.Linear(3, 2, **NP))
    with pytest.raises(ValueError, match=r"weight has shape \(3, 2\), but the model's is \(2, 3\)"):
        checkpoint.load_checkpoint(path, model)
    checkpoint.save_checkpoint(path, nn.Linear(2, 3, bias=False, **NP))
    with pytest.raises(ValueError, match="belongs to another model; only one of the two has bias"):
        checkpoint.load_checkpoint(path, model)
    whole = path.read_bytes()
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    for content in (b"", b"not a checkpoint", whole[: len(whole) // 2], (tmp_path / "other.npz").read_bytes()):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="model.npz: is no needle checkpoint, or a damaged one"):
            checkpoint.load_checkpoint(path, model)
    np.testing.assert_array_equal(model.weight.numpy(), before)


def test_a_checkpoint_that_cannot_be_finished_leaves_the_old_one_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, model = tmp_path / "model.npz", nn.Linear(2, 3, **NP)
    checkpoint.save_checkpoint(path, model)
    old = path.read_bytes()

    def fail(file: Any, **arrays: Any) -> None:
        file.write(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez", fail)
    with pytest.raises(OSError, match="disk full"):
        checkpoint.save_checkpoint(path, model)
    assert path.read_bytes() == old and len(list(tmp_path.iterdir())) == 1


def test_train_digits_prints_progress_learns_saves_loads_and_draws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sklearn", reason="digits need the extra [train]")
    pytest.importorskip("matplotlib", reason="plots need the extra [train]")
    model, plot = str(tmp_path / "digits.npz"), str(tmp_path / "loss.png")
    assert train.main(["digits", "--device", "np", "--epochs", "4", "--save", model, "--plot", plot]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("epoch") for line in lines) == 4 and "test accuracy" in lines[3]
    assert float(lines[3].split("test accuracy")[1].split("%")[0]) >= 90
    assert Path(plot).read_bytes().startswith(b"\x89PNG")
    assert train.main(["digits", "--device", "np", "--epochs", "1", "--load", model]) == 0
    assert float(capsys.readouterr().out.split("test accuracy")[1].split("%")[0]) >= 90
    assert train.main(["charlm", "--device", "np", "--epochs", "1", "--load", model]) == 1
    assert "belongs to another model" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments, code, words",
    [
        (["digits", "--epochs", "0"], 2, "--epochs must be at least 1, got 0"),
        (["digits", "--save", "no/such/folder/a.npz"], 2, "there is no folder no/such/folder"),
        (["flowers"], 2, "invalid choice: 'flowers'"),
        (["charlm", "--load", "nothing.npz"], 1, "needle.train: nothing.npz: there is no such checkpoint"),
        (["digits", "--device", "cuda"], 1, "needle.train: device cuda: "),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_wrong_call_of_train_is_one_line_without_a_traceback(
    arguments: list[str], code: int, words: str, tmp_path: Path
) -> None:
    from needle.backend_ndarray import cuda

    if "cuda" in arguments and cuda().enabled():
        pytest.skip("cuda() is usable here, so asking for it is no mistake")
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "needle.train", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root / "python")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == code and words in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())
