"""Arrays on a choice of backends. `import needle.backend_ndarray as nd`, then `nd.array([[1, 2], [3, 4]]) + 1`."""

from . import counters
from .array_api import array, broadcast_to, empty, exp, flip, full, log, maximum, prod, reshape, tanh
from .array_api import sum_ as sum
from .device import BackendDevice, DeviceNotUsable, all_devices, cpu, cpu_numpy, cuda, cuda_sim, default_device
from .layout import Layout
from .ndarray import NDArray

__all__ = [
    "BackendDevice",
    "DeviceNotUsable",
    "Layout",
    "NDArray",
    "all_devices",
    "array",
    "broadcast_to",
    "counters",
    "cpu",
    "cpu_numpy",
    "cuda",
    "cuda_sim",
    "default_device",
    "empty",
    "exp",
    "flip",
    "full",
    "log",
    "maximum",
    "prod",
    "reshape",
    "sum",
    "tanh",
]
