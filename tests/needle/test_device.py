"""Devices: found lazily, usable or with the reason why not; values that can be copied, pickled and compared."""

from __future__ import annotations

import copy
import importlib
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from needle import backend_ndarray as nd
from needle.backend_ndarray import BackendDevice, DeviceNotUsable, counters
from needle.backend_ndarray import device as device_module
from needle.backend_ndarray.contract import COUNTERS, FAMILIES, OPTIONAL, REQUIRED, TRANSFER

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """An empty folder in which devices look for their extensions."""
    monkeypatch.setattr(device_module, "_FOLDER", tmp_path)
    monkeypatch.setattr(device_module, "_loaded", {})
    monkeypatch.setattr(device_module, "_usable", {})
    monkeypatch.setattr(device_module, "_warned", set())
    return tmp_path


class Extension:
    """Stands for a compiled module."""

    __source_hash__: str

    def __init__(self, file: Path, source_hash: str | None = None, broken: bool = False) -> None:
        self.__file__ = str(file)
        self.broken = broken
        if source_hash:
            self.__source_hash__ = source_hash

    def Array(self, size: int) -> str:
        if self.broken:
            raise RuntimeError("no CUDA-capable device is detected")
        return "a handle"


@pytest.fixture
def built(folder, monkeypatch):
    """A function that puts an extension file of "cpu" there; importing it then gives a module, or an error."""

    def build(result: Extension | Exception | None = None, **options) -> Path:
        file = folder / ("ndarray_backend_cpu" + importlib.machinery.EXTENSION_SUFFIXES[0])
        file.write_bytes(b"code")

        def import_module(name: str, package: str | None = None):
            if isinstance(result, Exception):
                raise result
            return result or Extension(file, **options)

        monkeypatch.setattr(device_module.importlib, "import_module", import_module)
        return file

    return build


def test_device_that_was_never_built_says_run_make(folder) -> None:
    device = nd.cpu()
    assert not device.enabled() and device.mod is None
    assert device.reason == "not built: run make"


def test_device_built_for_another_python_names_the_file(folder) -> None:
    (folder / "ndarray_backend_cpu.cpython-300-x86_64-linux-gnu.so").touch()
    assert nd.cpu().reason == (
        "built for another Python (ndarray_backend_cpu.cpython-300-x86_64-linux-gnu.so): run make with this one"
    )


def test_missing_library_is_named(built) -> None:
    built(ImportError("libcudart.so.13: cannot open shared object file: No such file or directory"))
    assert nd.cpu().reason == "built, but libcudart.so.13 not found"


def test_other_load_errors_are_told_in_the_words_of_the_loader(built) -> None:
    built(ImportError("undefined symbol: fill"))
    assert nd.cpu().reason == "built, but it cannot be loaded: undefined symbol: fill"


def test_module_that_finds_no_hardware_says_so(built) -> None:
    built(broken=True)
    assert nd.cpu().reason == "built, but no memory can be had on it: no CUDA-capable device is detected"


def test_module_built_from_other_sources_is_stale(built, monkeypatch) -> None:
    built(source_hash="old")
    monkeypatch.setattr(device_module, "source_hash", lambda root, backend: "new")
    assert nd.cpu().reason == "stale: built from other sources; run make" and not nd.cpu().enabled()
    monkeypatch.setattr(device_module, "source_hash", lambda root, backend: "old")
    assert nd.cpu().enabled()
    monkeypatch.setattr(device_module, "source_hash", lambda root, backend: None)  # no sources: an installed package
    assert nd.cpu().enabled()


def test_extension_that_changed_on_disk_after_loading_says_restart_the_kernel(built) -> None:
    file = built()
    device = nd.cpu()
    assert device.enabled() and device.Array(1)
    os.utime(file, ns=(1, 1))
    assert "restart the kernel" in str(device.reason) and not device.enabled()
    with pytest.warns(RuntimeWarning, match=r"cpu\(\) was rebuilt after it was loaded: restart the kernel"):
        device.Array(1)
    device.Array(1)  # one warning is enough


def test_a_device_that_was_missing_is_found_as_soon_as_it_is_built(built, folder) -> None:
    device = nd.cpu()
    assert device.reason == "not built: run make"
    built()
    assert device.enabled() and device.Array(1) == "a handle"


def test_function_of_an_unusable_device_is_an_error_with_the_reason(folder) -> None:
    with pytest.raises(DeviceNotUsable, match=r"cpu\(\) cannot be used: not built: run make"):
        nd.array([1], device=nd.cpu())
    assert not hasattr(nd.cpu(), "matmul_tiled")


def test_devices_are_equal_by_name_and_to_nothing_else() -> None:
    assert nd.cpu() == nd.cpu() and nd.cpu() != nd.cuda()
    assert (nd.cpu() == None) is False and nd.cpu() != "cpu()"  # noqa: E711
    assert len({nd.cpu(), nd.cpu(), nd.cuda()}) == 2
    assert [str(d) for d in nd.all_devices()] == ["cpu()", "cuda()", "cuda_sim()", "cpu_numpy()"]


@pytest.mark.parametrize("name", ["cpu_numpy", "cpu", "cuda", "elsewhere"])
def test_devices_can_be_copied_and_pickled_usable_or_not(name) -> None:
    device = BackendDevice(name)
    for other in (copy.copy(device), copy.deepcopy(device), pickle.loads(pickle.dumps(device))):
        assert other == device and other.enabled() == device.enabled()


def test_device_made_from_a_module_keeps_it_when_pickled() -> None:
    device = BackendDevice("mine", nd.cpu_numpy().mod)
    other = pickle.loads(pickle.dumps(device))
    assert other.name == "mine" and other.mod is device.mod and other.enabled()


def test_default_device_is_the_specification_and_always_usable() -> None:
    assert nd.default_device() == nd.cpu_numpy() and nd.cpu_numpy().enabled() and nd.cpu_numpy().reason is None


def test_every_device_has_every_function_of_the_contract(device) -> None:
    for name in (*REQUIRED, *TRANSFER, "counters", "reset_counters", "__device_name__"):
        assert hasattr(device, name), name
    tiled = {"matmul_tiled"} if device.name == "cpu" else set()
    assert {name for name in OPTIONAL if hasattr(device, name)} == {"ewise_power"} | tiled
    assert device.__device_name__ == {"cpu_numpy": "numpy"}.get(device.name, device.name)


def test_families_hold_every_function_once() -> None:
    functions = [name for names in FAMILIES.values() for name in names]
    assert sorted(functions) == sorted([*REQUIRED, *OPTIONAL])


def test_random_numbers_are_one_draw_of_numpys_generator(device) -> None:
    np.random.seed(3)
    want = np.random.randn(2, 3).astype("float32"), np.random.rand(4).astype("float32")
    np.random.seed(3)
    a, b = device.randn(2, 3), device.rand(4, dtype="float32")
    assert a.device == device and a.dtype == "float32"
    np.testing.assert_array_equal(a.numpy(), want[0])
    np.testing.assert_array_equal(b.numpy(), want[1])


def test_one_hot_picks_rows_of_the_identity_and_refuses_other_labels(device) -> None:
    assert device.one_hot(3, np.array([2, 0])).numpy().tolist() == [[0, 0, 1], [1, 0, 0]]
    assert device.one_hot(3, nd.array([[1.0]], device=device)).shape == (1, 1, 3)
    for bad in (3, -1, 0.5):
        with pytest.raises(ValueError, match=f"one_hot: {bad} is no class of 0 to 2"):
            device.one_hot(3, np.array([0, bad]))


def test_empty_and_full_of_a_device(device) -> None:
    assert device.empty((2, 0)).shape == (2, 0) and device.full((2,), 3).numpy().tolist() == [3, 3]
    assert device.full((2,), 3).device == device


# Counters


def test_counters_count_what_happened_and_reset_keeps_what_is_alive(device) -> None:
    a = nd.full((10,), 1.0, device=device)
    counters.reset(device)
    before = counters.snapshot(device)
    assert tuple(before) == COUNTERS and before["launches"] == before["allocations"] == 0
    assert before["live_allocations"] >= 1 and before["live_bytes"] >= 40
    b = a + nd.array(np.ones(10), device=device)
    after = counters.snapshot(device)
    assert (after["launches"], after["bytes_from_host"], after["allocations"]) == (1, 40, 2)
    assert after["live_allocations"] == before["live_allocations"] + 1
    del b
    assert counters.snapshot(device)["live_allocations"] == before["live_allocations"]


def test_work_of_size_zero_launches_nothing(device) -> None:
    empty = nd.empty((0, 3), device=device)
    with counters.measure(device) as cost:
        (empty + 1).permute((1, 0)).compact().sum(axis=0)
        empty[...] = 1.0
        empty @ nd.empty((3, 0), device=device)
    assert cost["launches"] == 0


def test_measure_reports_also_when_the_block_fails(device) -> None:
    with pytest.raises(ZeroDivisionError), counters.measure(device) as cost:
        nd.full((2,), 1.0, device=device)
        raise ZeroDivisionError
    assert cost["launches"] == cost["allocations"] == 1


# Before anything is compiled


def test_import_and_every_view_work_before_anything_is_compiled_and_without_the_build(tmp_path) -> None:
    shutil.copytree(
        ROOT / "python/needle", tmp_path / "needle", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    )
    program = (
        "import needle; from needle import backend_ndarray as nd; a = nd.array([[0, 1, 2], [3, 4, 5]]);"
        "print((a.permute((1, 0))[1:, ::-1].broadcast_to((2, 2, 2)) + a[0, 0].broadcast_to((2, 2, 2))).sum().numpy());"
        "print(nd.cpu().reason)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == ["[24.]", "not built: run make"], done.stderr


def test_import_loads_no_compiled_module_and_opens_no_device() -> None:
    program = (
        "import sys, needle, needle.backend_ndarray;print([name for name in sys.modules if 'ndarray_backend' in name])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stdout == "[]\n", done.stderr
