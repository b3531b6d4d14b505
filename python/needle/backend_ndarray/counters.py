"""What crosses the border of a device: launches, bytes each way, allocations.

A launch is a call of a contract function that reached a kernel; work of size zero launches nothing. On `cpu_numpy()`
the backend's `to_numpy` shares memory, so no byte goes to the host there.
Example: `with measure(x.device) as cost: y = x + 1` and then `cost["launches"]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .device import BackendDevice


def snapshot(device: BackendDevice) -> dict[str, int]:
    """Return the counters of a device: launches, bytes_to_host, bytes_from_host, allocations since the last reset, and
    live_allocations, live_bytes as they are now."""
    return dict(device.counters())


def reset(device: BackendDevice) -> None:
    """Set the counters of a device to zero, except what is alive now."""
    device.reset_counters()


@contextmanager
def measure(device: BackendDevice) -> Iterator[dict[str, int]]:
    """Give a dict that holds, after the block, by how much each counter changed in it."""
    before = snapshot(device)
    change: dict[str, int] = dict.fromkeys(before, 0)
    try:
        yield change
    finally:
        after = snapshot(device)
        change.update({name: after[name] - before[name] for name in before})
