"""What only the CUDA kernels have, on the GPU and on the simulator: ragged tiles, large grids, memory of their own.

The values of every function are tested in test_backends.py, on each device.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.needle.backends import OUT, Backend, backend

ROOT = Path(__file__).resolve().parents[2]
REFUSED = ROOT / "tests/needle/kernels/refused_launch.cu"
CUDA = ("cuda", "cuda_sim")
TILE = 16
ROLES = (1, TILE - 1, TILE, TILE + 1, 3 * TILE + 1)


@pytest.fixture(params=CUDA)
def on(request: pytest.FixtureRequest) -> Backend:
    return backend(request.param)


@pytest.fixture
def gpu() -> Backend:
    """The GPU itself, for sizes that the simulator would take minutes for."""
    return backend("cuda")


@pytest.mark.parametrize("m", ROLES)
@pytest.mark.parametrize("n", ROLES)
@pytest.mark.parametrize("p", ROLES)
def test_matmul_of_ragged_tiles_is_right_every_time(on: Backend, m: int, n: int, p: int) -> None:
    a, b = np.arange(m * n) % 7 - 3.0, np.arange(n * p) % 5 - 1.0
    want = (a.reshape(m, n) @ b.reshape(n, p)).reshape(-1)
    # The simulator is deterministic; on a GPU a missing barrier shows only now and then.
    for _ in range(20 if on.device.name == "cuda" else 1):
        np.testing.assert_array_equal(on.run("matmul", a, b, OUT, m, n, p, out=m * p), want)


@pytest.mark.parametrize("m, p", [(1, 300_000), (300_000, 1)])
def test_matmul_of_more_tiles_than_a_grid_has_rows(gpu: Backend, m: int, p: int) -> None:
    long = np.arange(300_000.0)
    scalar = np.array([3.0])
    given: tuple[Any, Any] = (scalar, long) if m == 1 else (long, scalar)
    np.testing.assert_array_equal(gpu.run("matmul", *given, OUT, m, 1, p, out=300_000), 3 * long)


def test_matmul_of_more_tiles_than_65535_in_either_direction(gpu: Backend) -> None:
    size = 65536 * TILE + 5
    ones, out = gpu.mod.Array(size), gpu.poisoned(size)
    gpu.mod.fill(ones, 1.0)
    for m, p in ((size, 1), (1, size)):
        gpu.mod.matmul(*((ones, gpu.array([2.0])) if p == 1 else (gpu.array([2.0]), ones)), out, m, 1, p)
        np.testing.assert_array_equal(gpu.read(out), np.full(size, 2.0, dtype=np.float32))
        gpu.mod.fill(out, np.nan)


def test_positions_past_2_to_the_31_elements_on_the_gpu(gpu: Backend) -> None:
    try:
        huge = gpu.mod.Array(2**31 + 1024)
    except MemoryError as error:
        pytest.skip(str(error))
    view = ((2, 2), (2**31, 1), 3)
    gpu.mod.ewise_setitem(gpu.array([1, 2, 3, 4]), huge, *view)
    gpu.mod.scalar_setitem(2, 9.0, huge, (2,), (-1,), 2**31 + 4)
    np.testing.assert_array_equal(gpu.run_on(huge, "compact", *view, out=4), [1, 2, 9, 9])


@pytest.mark.parametrize("rows", [70_000])
@pytest.mark.parametrize("length", [2, 200])
def test_reductions_of_more_rows_than_65535(gpu: Backend, rows: int, length: int) -> None:
    a = np.arange(rows * length) % 11 - 20.0
    np.testing.assert_array_equal(gpu.run("reduce_sum", a, OUT, length, out=rows), a.reshape(rows, length).sum(axis=1))
    np.testing.assert_array_equal(gpu.run("reduce_max", a, OUT, length, out=rows), a.reshape(rows, length).max(axis=1))


def test_memory_that_is_not_there_is_a_memory_error_and_the_next_operation_works(on: Backend) -> None:
    with pytest.raises(MemoryError, match=f"no memory for {2**46} elements"):
        on.mod.Array(2**46)
    np.testing.assert_array_equal(on.run("fill", OUT, 3.0, out=5), np.full(5, 3.0))


def test_to_numpy_sends_the_whole_allocation_however_small_the_view(on: Backend) -> None:
    a = on.array(np.arange(6))
    on.mod.reset_counters()
    got = on.mod.to_numpy(a, (2, 2), (3, 1), 1)
    np.testing.assert_array_equal(got, [[1, 2], [4, 5]])
    assert got.nbytes == 16 and on.mod.counters()["bytes_to_host"] == 24
    assert got.flags.owndata and got.flags.c_contiguous


def test_every_launch_of_the_backend_is_a_checked_one() -> None:
    for path in sorted((ROOT / "src/backend_cuda").iterdir()):
        code = re.sub(r"//.*", "", path.read_text())
        launches = len(re.findall(r"\w\s*<<<", code))
        assert launches == (1 if path.name == "device.cuh" else 0), f"{path.name}: use LAUNCH(kernel, grid, block, ...)"


# CUDA's own words, which differ between its versions: "invalid configuration argument", since 13 "invalid argument"
WANTED = re.compile(r"set_kernel<<<\(3,1,1\), \(64,32,1\)>>> did not run: invalid (configuration )?argument\n1 1 1 1\n")


def test_refused_launch_names_kernel_and_configuration_and_the_next_launch_works_on_the_simulator() -> None:
    backend("cuda_sim")
    command = [sys.executable, "-m", "needle.cudasim", "--json", str(REFUSED)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "python")
    assert WANTED.fullmatch(json.loads(done.stdout)["output"]), done.stdout + done.stderr


def test_refused_launch_names_kernel_and_configuration_and_the_next_launch_works_on_the_gpu(
    gpu: Backend, tmp_path: Path
) -> None:
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if nvcc is None:
        pytest.skip("the module is built, but nvcc is not here")
    program = str(tmp_path / "refused_launch")
    subprocess.run([nvcc, "-std=c++17", "-arch=native", str(REFUSED), "-o", program], check=True)
    assert WANTED.fullmatch(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
