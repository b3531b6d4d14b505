"""Fixtures for every test: the devices, each usable or skipped with its reason.

A backend that was not built, or finds no hardware, is skipped; a stale one is a failure. NEEDLE_REQUIRE=cpu,cuda lists
devices that must be usable: a missing one is then a failure too, so that a broken build never hides behind a skip.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from needle.backend_ndarray import BackendDevice
from needle.backend_ndarray.device import REBUILT, STALE

DEVICES = ("cpu_numpy", "cpu", "cuda", "cuda_sim")


@pytest.fixture(scope="session")
def usable_device() -> Callable[[str], BackendDevice]:
    """A function from a name to its device: skips the test with the reason, or fails it if NEEDLE_REQUIRE says so."""

    def find(name: str) -> BackendDevice:
        device = BackendDevice(name)
        reason = device.reason
        if reason is None:
            return device
        required = name in os.environ.get("NEEDLE_REQUIRE", "").replace(",", " ").split()
        if required or reason in (STALE, REBUILT):
            pytest.fail(f"{device} cannot be used: {reason}", pytrace=False)
        pytest.skip(f"{device}: {reason}")

    return find


@pytest.fixture(params=DEVICES)
def device(request: pytest.FixtureRequest, usable_device: Callable[[str], BackendDevice]) -> BackendDevice:
    """Every usable device, one after the other."""
    return usable_device(request.param)
