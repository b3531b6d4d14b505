"""The defaults that NEEDLE_BACKEND chooses: `nd` (NDArray, the default) or `np` (plain NumPy arrays).

The choice sets defaults only: which device a tensor without a device gets, and whether NumPy's promotion of mixed
dtypes is allowed. Operators follow the arrays that they are given, so both kinds work side by side in one program.
"""

from __future__ import annotations

import os
from typing import Any

BACKEND: str = os.environ.get("NEEDLE_BACKEND", "nd")

if BACKEND == "nd":
    from . import backend_ndarray as array_api
    from .backend_ndarray import BackendDevice as Device
    from .backend_ndarray import NDArray, all_devices, cpu, cpu_numpy, cuda, default_device

    __all__ = ["BACKEND", "Device", "NDArray", "all_devices", "array_api"]
    __all__ += ["cpu", "cpu_numpy", "cuda", "default_device"]
elif BACKEND == "np":
    import numpy as array_api  # type: ignore[no-redef]
    from numpy import ndarray as NDArray  # type: ignore[assignment,no-redef]

    from .backend_numpy import CPUDevice as Device  # type: ignore[assignment,no-redef]
    from .backend_numpy import all_devices, cpu, default_device  # type: ignore[assignment,no-redef]

    __all__ = ["BACKEND", "Device", "NDArray", "all_devices", "array_api", "cpu", "default_device"]
else:
    raise RuntimeError(f"NEEDLE_BACKEND: must be nd or np, not {BACKEND!r}; unset it to get nd")

# The course's homeworks 1 and 2 mix float32 and float64 and rely on NumPy's promotion; elsewhere a mix is an error.
PROMOTES_DTYPES: bool = BACKEND == "np"

AnyDevice = Any
"""A `BackendDevice` (arrays are NDArrays) or a `backend_numpy.CPUDevice` (arrays are NumPy arrays)."""
