"""`a ** b` for two arrays, on every device: values, views, refusals, counters and the gradient."""

from __future__ import annotations

import numpy as np
import pytest

import needle as ndl
from needle import backend_ndarray as nd
from tests.needle.backends import DEVICES, backend


@pytest.fixture(params=DEVICES)
def device(request: pytest.FixtureRequest) -> nd.BackendDevice:
    return backend(request.param).device


def power64(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(a.astype(np.float64) ** b.astype(np.float64))


@pytest.mark.parametrize("size", [1, 255, 256, 257, 1000])
def test_power_of_two_arrays_of_any_length_is_within_eight_units(device: nd.BackendDevice, size: int) -> None:
    draw = np.random.default_rng(size)
    a, b = draw.uniform(0.2, 4, size).astype("float32"), draw.uniform(-3, 3, size).astype("float32")
    got = (nd.array(a, device=device) ** nd.array(b, device=device)).numpy()
    np.testing.assert_allclose(got, power64(a, b), rtol=8 * 2.0**-23)


def test_views_on_either_side_are_made_compact(device: nd.BackendDevice) -> None:
    a = np.arange(1, 7, dtype="float32").reshape(2, 3)
    array = nd.array(a, device=device)
    view, plain = array.permute((1, 0)), nd.array(np.full((3, 2), 2.0), device=device)
    np.testing.assert_allclose((view**plain).numpy(), a.T**2, rtol=1e-6)
    np.testing.assert_allclose((plain**view).numpy(), 2**a.T, rtol=1e-6)
    half = nd.array(np.arange(1, 13, dtype="float32").reshape(4, 3), device=device)[2:4, :]
    np.testing.assert_allclose((half**array).numpy(), half.numpy().astype("float64") ** a, rtol=1e-6)


def test_special_values_follow_the_rules_of_real_powers(device: nd.BackendDevice) -> None:
    a = np.array([0, 0, -8, np.nan, -2, np.inf], dtype="float32")
    b = np.array([0, -1, 0.5, 0, 3, -1], dtype="float32")
    got = (nd.array(a, device=device) ** nd.array(b, device=device)).numpy()
    np.testing.assert_array_equal(got, [1, np.inf, np.nan, 1, -8, 0])


def test_empty_arrays_launch_nothing(device: nd.BackendDevice) -> None:
    empty = nd.array(np.zeros((0, 3), "float32"), device=device)
    before = device.counters()["launches"]
    assert (empty**empty).shape == (0, 3)
    assert device.counters()["launches"] == before
    one = nd.array(np.ones(1, "float32"), device=device)
    before = device.counters()["launches"]
    _ = one**one
    assert device.counters()["launches"] == before + 1


def test_other_shapes_other_sizes_and_other_devices_are_refused(device: nd.BackendDevice) -> None:
    a = nd.array(np.ones((2, 3)), device=device)
    with pytest.raises(ValueError, match=r"ewise_power: shapes must be equal, but they are \(2, 3\) and \(3, 2\)"):
        a ** nd.array(np.ones((3, 2)), device=device)
    with pytest.raises(ValueError, match="ewise_power: sizes must agree, but a has 6 elements and b has 5"):
        device.ewise_power(device.Array(6), device.Array(5), device.Array(6))
    with pytest.raises(ValueError, match="ewise_power: sizes must agree, but a has 6 elements and out has 5"):
        device.ewise_power(device.Array(6), device.Array(6), device.Array(5))
    if device.name != "cpu_numpy":
        with pytest.raises(ValueError, match="ewise_power: arrays are on"):
            a ** nd.array(np.ones((2, 3)), device=nd.cpu_numpy())
        with pytest.raises(TypeError, match="ewise_power: b must be an Array of"):
            device.ewise_power(device.Array(1), 1.0, device.Array(1))


def test_a_device_without_the_function_says_what_to_do_instead() -> None:
    class Without:
        def __getattr__(self, name: str) -> object:
            if name == "ewise_power":
                raise AttributeError(name)
            return getattr(nd.cpu_numpy(), name)

    device = nd.BackendDevice("without", Without())  # type: ignore[arg-type]
    x = nd.array(np.ones(2), device=device)
    with pytest.raises(NotImplementedError, match=r"power: without\(\) has no ewise_power; use a number as exponent"):
        x**x
    np.testing.assert_array_equal((x**2).numpy(), [1, 1])


def test_gradients_of_a_tensor_power_are_those_of_the_formula(device: nd.BackendDevice) -> None:
    a, b = np.array([2.0, 3.0, 0.5]), np.array([3.0, 0.5, -2.0])
    x, y = ndl.Tensor(a, device=device), ndl.Tensor(b, device=device)
    (x**y).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), b * a ** (b - 1), rtol=2e-6)
    np.testing.assert_allclose(y.grad.numpy(), a**b * np.log(a), rtol=2e-6)
