"""Devices: a backend module under a name, loaded when it is first used, or the reason why it cannot be used."""

from __future__ import annotations

import importlib
import importlib.machinery
import os
import re
import warnings
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .source_hash import source_hash

if TYPE_CHECKING:
    from .ndarray import NDArray

_FOLDER = Path(__file__).resolve().parent
_ROOT = _FOLDER.parents[2]

# Compiled modules of this process and the stamps of their files when they were loaded: an extension cannot be reloaded.
_loaded: dict[str, tuple[ModuleType, tuple[int, int] | None]] = {}
_usable: dict[str, ModuleType] = {}  # those of them that passed every check once
_warned: set[str] = set()

REBUILT = "was rebuilt after it was loaded: restart the kernel (this Python process keeps the old code)"
STALE = "stale: built from other sources; run make"


class DeviceNotUsable(RuntimeError, AttributeError):
    """A function of a device that cannot be used was asked for. An AttributeError too, so that `hasattr` says no."""


def _module_name(name: str) -> str:
    return "ndarray_backend_" + ("numpy" if name == "cpu_numpy" else name)


def _built_file(name: str) -> Path | None:
    """The extension file that this interpreter would import."""
    candidates = (_FOLDER / (_module_name(name) + suffix) for suffix in importlib.machinery.EXTENSION_SUFFIXES)
    return next((path for path in candidates if path.is_file()), None)


def _stamp(path: Path | str | None) -> tuple[int, int] | None:
    try:
        status = os.stat(path) if path else None
    except FileNotFoundError:  # removed, or just being rebuilt
        return None
    return (status.st_mtime_ns, status.st_ino) if status else None


def _why_not_built(name: str) -> str:
    others = sorted(path.name for path in _FOLDER.glob(_module_name(name) + ".*") if path.suffix in (".so", ".pyd"))
    return f"built for another Python ({others[0]}): run make with this one" if others else "not built: run make"


def _why_not_loaded(error: Exception) -> str:
    missing = re.match(r"(\S+): cannot open shared object file", str(error))
    return f"built, but {missing[1]} not found" if missing else f"built, but it cannot be loaded: {error}"


def _load(name: str) -> tuple[ModuleType | None, str | None]:
    """Return the module of a device, or None and the reason why not. Failures are tried again next time."""
    if name == "cpu_numpy":
        return importlib.import_module("." + _module_name(name), __package__), None
    if name not in _loaded:
        path = _built_file(name)
        if path is None:
            return None, _why_not_built(name)
        stamp = _stamp(path)
        try:
            module = importlib.import_module("." + _module_name(name), __package__)
        except (ImportError, OSError) as error:
            return None, _why_not_loaded(error)
        _loaded[name] = module, stamp
    module, stamp = _loaded[name]
    if _stamp(_built_file(name)) != stamp:
        return None, REBUILT
    wanted = source_hash(_ROOT, name)
    if wanted is not None and getattr(module, "__source_hash__", wanted) != wanted:
        return None, STALE
    if name not in _usable:
        try:  # a module that loads may still find no device
            module.Array(1)
        except Exception as error:
            return None, f"built, but no memory can be had on it: {error}"
        _usable[name] = module
    return module, None


class BackendDevice:
    """A backend under a name. Every function of the contract is an attribute: `cpu().ewise_add(a, b, out)`.

    Errors: DeviceNotUsable with the reason, when the backend is not there.
    Example: `nd.cuda().enabled()` is False on a laptop, and `nd.cuda().reason` is "not built: run make".
    """

    name: str

    def __init__(self, name: str, mod: ModuleType | None = None) -> None:
        """`mod` is given only for a backend from elsewhere; a device of this package finds its own by name."""
        self.name = name
        self._mod = mod
        self._given = mod is not None

    @property
    def mod(self) -> ModuleType | None:
        """The backend's module, loaded now if it was not yet; None when it cannot be used."""
        if self._mod is None:
            self._mod = _usable.get(self.name) or _load(self.name)[0]
        return self._mod

    @property
    def reason(self) -> str | None:
        """Why the device cannot be used, looked up afresh; None when it can."""
        return None if self._given else _load(self.name)[1]

    def enabled(self) -> bool:
        """Tell whether the device can be used here and now."""
        return self.reason is None

    def __getattr__(self, attribute: str) -> Any:
        # Python probes dunder names when it copies or pickles, before there is a name or a module.
        if attribute.startswith("__") and attribute not in ("__device_name__", "__tile_size__", "__max_rank__"):
            raise AttributeError(f"{type(self).__name__} has no attribute {attribute}")
        if self.mod is None:
            raise DeviceNotUsable(f"{self} cannot be used: {self.reason}")
        if attribute == "Array":  # once per result
            self._warn_if_rebuilt()
        return getattr(self.mod, attribute)

    def _warn_if_rebuilt(self) -> None:
        if self.name not in _loaded or self.name in _warned or self._given:
            return
        module, stamp = _loaded[self.name]
        if _stamp(module.__file__) != stamp:
            _warned.add(self.name)
            warnings.warn(f"{self} {REBUILT}", RuntimeWarning, stacklevel=4)

    def __repr__(self) -> str:
        return self.name + "()"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BackendDevice) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __copy__(self) -> BackendDevice:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> BackendDevice:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.name, self._mod.__name__ if self._given and self._mod else None)

    def randn(self, *shape: int, dtype: Any = "float32") -> NDArray:
        """Return standard normal values: one draw from NumPy's global generator."""
        return self._array(np.random.randn(*shape), dtype)

    def rand(self, *shape: int, dtype: Any = "float32") -> NDArray:
        """Return uniform values in [0, 1): one draw from NumPy's global generator."""
        return self._array(np.random.rand(*shape), dtype)

    def one_hot(self, n: int, i: Any, dtype: Any = "float32") -> NDArray:
        """Return the rows of the n x n identity that the integers `i` (from 0 to n-1) choose; shape i.shape + (n,)."""
        chosen = np.asarray(i.numpy() if hasattr(i, "numpy") else i)
        labels = chosen.astype(np.int64)
        wrong = (labels != chosen) | (labels < 0) | (labels >= n)
        if wrong.any():
            raise ValueError(f"one_hot: {chosen[wrong].flat[0]} is no class of 0 to {n - 1}")
        return self._array(np.eye(n, dtype=np.float32)[labels], dtype)

    def empty(self, shape: Any, dtype: Any = "float32") -> NDArray:
        """Return an array of this shape with whatever values its memory holds."""
        from .array_api import empty

        return empty(shape, dtype=dtype, device=self)

    def full(self, shape: Any, fill_value: float, dtype: Any = "float32") -> NDArray:
        """Return an array of this shape with one value everywhere."""
        from .array_api import full

        return full(shape, fill_value, dtype=dtype, device=self)

    def _array(self, values: npt.ArrayLike, dtype: Any) -> NDArray:
        from .array_api import array  # arrays know devices; a device needs arrays only here

        return array(values, dtype=dtype, device=self)


def _restore(name: str, module: str | None) -> BackendDevice:
    return BackendDevice(name, importlib.import_module(module) if module else None)


def cpu_numpy() -> BackendDevice:
    """The specification, in NumPy. Always usable."""
    return BackendDevice("cpu_numpy")


def cpu() -> BackendDevice:
    """The C++ kernels."""
    return BackendDevice("cpu")


def cuda() -> BackendDevice:
    """The CUDA kernels, on a GPU."""
    return BackendDevice("cuda")


def cuda_sim() -> BackendDevice:
    """The CUDA kernels, simulated on the CPU."""
    return BackendDevice("cuda_sim")


def default_device() -> BackendDevice:
    """The device of every array that names none."""
    return cpu_numpy()


def all_devices() -> list[BackendDevice]:
    """Every device, also those that cannot be used here."""
    return [cpu(), cuda(), cuda_sim(), cpu_numpy()]
