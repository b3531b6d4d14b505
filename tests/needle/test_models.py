"""Networks: order of creation, shapes, forward values, and a step that lowers the loss."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from needle import init, models, nn, optim
from needle.autograd import Tensor
from needle.backend_numpy import CPUDevice

NP: dict[str, Any] = {"device": CPUDevice()}


def rows(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype("float32")


def shapes(model: nn.Module) -> list[tuple[int, ...]]:
    return [parameter.shape for parameter in model.parameters()]


def test_mlp_resnet_has_its_layers_in_the_order_of_execution() -> None:
    model = models.MLPResNet(7, hidden_dim=6, num_blocks=2, num_classes=4, norm=nn.LayerNorm1d, **NP)
    block = [(6, 3), (1, 3), (3,), (3,), (3, 6), (1, 6), (6,), (6,)]
    assert shapes(model) == [(7, 6), (1, 6), *block, *block, (6, 4), (1, 4)]
    assert model(Tensor(rows(5, 7), **NP)).shape == (5, 4)


def test_residual_block_applies_relu_after_the_addition() -> None:
    block = models.ResidualBlock(4, 3, norm=nn.LayerNorm1d, drop_prob=0.0, **NP)
    block.eval()
    for parameter in block.parameters():
        parameter.data = init.zeros(*parameter.shape, **NP)
    x = rows(2, 4)
    np.testing.assert_array_equal(block(Tensor(x, **NP)).numpy(), np.maximum(x, 0))


def test_resnet9_takes_images_of_32_by_32_and_every_parameter_gets_a_gradient() -> None:
    np.random.seed(0)
    model = models.ResNet9(**NP)
    out = model(Tensor(rows(2, 3, 32, 32), **NP))
    assert out.shape == (2, 10)
    convolutions = [shape for shape in shapes(model) if len(shape) == 4]
    assert convolutions == [
        (7, 7, 3, 16), (3, 3, 16, 32), (3, 3, 32, 32), (3, 3, 32, 32),
        (3, 3, 32, 64), (3, 3, 64, 128), (3, 3, 128, 128), (3, 3, 128, 128),
    ]  # fmt: skip
    nn.SoftmaxLoss()(out, Tensor([1, 2], **NP)).backward(create_graph=False)
    assert all(parameter.grad.shape == parameter.shape for parameter in model.parameters())


SIZES: dict[str, Any] = {"rnn": {}, "lstm": {}, "transformer": {"num_head": 2, "dim_head": 4}}


@pytest.mark.parametrize("kind", SIZES)
def test_language_model_gives_logits_row_by_row_and_a_state_for_the_next_piece(kind: str) -> None:
    np.random.seed(0)
    model = models.LanguageModel(6, 9, 5, 2, seq_model=kind, seq_len=4, **SIZES[kind], **NP)
    assert shapes(model)[0] == (9, 6) and shapes(model)[-2] == ((6, 9) if kind == "transformer" else (5, 9))
    logits, h = model(Tensor(np.ones((4, 3)), **NP))
    assert logits.shape == (12, 9)
    parts = h if isinstance(h, tuple) else (h,)
    assert [part.shape for part in parts] == {"rnn": [(2, 3, 5)], "lstm": [(2, 3, 5)] * 2}.get(kind, [(4, 3, 6)])
    assert model(Tensor(np.ones((2, 3)), **NP), h)[0].shape == (6, 9)


def test_language_model_knows_three_kinds() -> None:
    with pytest.raises(ValueError, match="LanguageModel: seq_model must be rnn, lstm or transformer, not 'gru'"):
        models.LanguageModel(6, 9, 5, seq_model="gru")


def small_models(where: Any) -> dict[str, tuple[Any, Any, Any]]:
    """A model of each kind with an input and labels for it, the same on every device."""
    images, numbers = rows(2, 3, 32, 32), np.array([[0, 1], [2, 0], [1, 2]])

    def language(kind: str) -> Any:
        model = models.LanguageModel(4, 3, 5, seq_model=kind, seq_len=4, device=where, **SIZES[kind])
        return lambda x: model(x)[0], model.parameters()

    def plain(model: nn.Module) -> Any:
        return model, model.parameters()

    def resnet9() -> Any:
        model = models.ResNet9(device=where)
        model.eval()  # one pixel is left at the end: the variance of two samples would magnify every rounding
        return plain(model)

    return {
        "mlp": (lambda: plain(models.MLPResNet(5, 4, 1, 3, device=where)), rows(6, 5), [0, 1, 2, 0, 1, 2]),
        "resnet9": (resnet9, images, [3, 7]),
        **{kind: (lambda kind=kind: language(kind), numbers, [1, 0, 2, 1, 0, 2]) for kind in SIZES},
    }


@pytest.mark.parametrize("kind", ["mlp", "resnet9", *SIZES])
def test_one_step_lowers_the_loss_and_is_the_same_on_every_device(kind: str, device: Any) -> None:
    losses = []
    for where in (CPUDevice(), device):
        make, x, labels = small_models(where)[kind]
        np.random.seed(0)
        forward, parameters = make()
        optimizer, found = optim.SGD(parameters, lr=0.01), []
        for _ in range(2):
            np.random.seed(1)  # the same dropout masks in both steps
            loss = nn.SoftmaxLoss()(forward(Tensor(x, device=where)), Tensor(labels, device=where))
            found.append(float(loss.numpy().sum()))
            loss.backward(create_graph=False)
            optimizer.step()
            optimizer.reset_grad()
        assert found[1] < found[0]
        losses.append(found)
    np.testing.assert_allclose(losses[1], losses[0], rtol=2e-4)
