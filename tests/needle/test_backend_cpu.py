"""What only the C++ backend has: tiles, aligned host memory, buffers past 2^31 elements, a module without NumPy."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from needle.backend_ndarray.rules import RULES
from tests.needle.backends import OUT, Backend, backend


@pytest.fixture
def cpu() -> Backend:
    return backend("cpu")


def tiled(matrix: Any) -> Any:
    """The matrix stored tile by tile, flat: [rows/8][columns/8][8][8]."""
    rows, columns = matrix.shape
    return matrix.reshape(rows // 8, 8, columns // 8, 8).swapaxes(1, 2).reshape(-1)


@pytest.mark.parametrize("m, n, p", [(8, 8, 8), (8, 16, 24), (24, 8, 16), (16, 0, 8), (40, 24, 8)])
def test_matmul_tiled_of_rectangles_agrees_with_numpy(cpu: Backend, m: int, n: int, p: int) -> None:
    a, b = (np.arange(m * n) % 7 - 3.0).reshape(m, n), (np.arange(n * p) % 5 - 1.0).reshape(n, p)
    got = cpu.run("matmul_tiled", tiled(a), tiled(b), OUT, m, n, p, out=m * p)
    np.testing.assert_array_equal(got, tiled(a @ b))


def test_matmul_tiled_stays_within_its_error_bound(cpu: Backend) -> None:
    n = 1024
    a, b = np.random.default_rng(5).uniform(-1, 1, (2, 8, n)).astype(np.float32)
    exact, magnitude = (x.astype(np.float64) @ y.T for x, y in ((a, b), (abs(a), abs(b))))
    got = cpu.run("matmul_tiled", tiled(a), tiled(np.ascontiguousarray(b.T)), OUT, 8, n, 8, out=64)
    gamma = n * 2.0**-24 / (1 - n * 2.0**-24)
    assert (abs(got.reshape(8, 8) - exact) <= gamma * magnitude).all()


@pytest.mark.parametrize("m, n, p", [(7, 8, 8), (8, 9, 8), (8, 8, 4)])
def test_matmul_tiled_refuses_what_is_no_multiple_of_the_tile(cpu: Backend, m: int, n: int, p: int) -> None:
    with pytest.raises(ValueError) as raised:
        cpu.mod.matmul_tiled(cpu.mod.Array(m * n), cpu.mod.Array(n * p), cpu.mod.Array(m * p), m, n, p)
    assert str(raised.value) == RULES["tile_multiple"][1].format(op="matmul_tiled", m=m, n=n, p=p, tile=8)


def test_matmul_tiled_does_not_write_over_its_input(cpu: Backend) -> None:
    a, b = cpu.array(np.ones(64)), cpu.array(np.ones(64))
    for inputs in ((a, b, a), (a, b, b)):
        with pytest.raises(ValueError, match="out must not be the buffer of an input"):
            cpu.mod.matmul_tiled(*inputs, 8, 8, 8)


@pytest.mark.parametrize("size", [1, 63, 1000, 2**20])
def test_memory_is_aligned_to_256_bytes(cpu: Backend, size: int) -> None:
    assert cpu.mod.Array(size).ptr() % 256 == 0


def test_empty_array_has_no_memory(cpu: Backend) -> None:
    assert cpu.mod.Array(0).ptr() == 0


def test_to_numpy_is_an_independent_copy_in_row_major_order(cpu: Backend) -> None:
    a = cpu.array(np.arange(6))
    copy = cpu.mod.to_numpy(a, (3, 2), (1, 3), 0)
    assert copy.flags.c_contiguous and copy.flags.owndata and copy.flags.writeable
    copy[0, 0] = 99.0
    assert cpu.read(a)[0] == 0.0
    cpu.mod.fill(a, 7.0)
    del a
    np.testing.assert_array_equal(copy, [[99, 3], [1, 4], [2, 5]])


@pytest.fixture
def huge(cpu: Backend) -> Any:
    """More than 2^31 elements, of which a test touches a few: the system maps pages when they are touched."""
    try:
        return cpu.mod.Array(2**31 + 1024)
    except MemoryError as error:
        pytest.skip(f"this machine promises no 8 GiB of untouched memory: {error}")


def test_views_past_2_to_the_31_elements_are_read_and_written_in_their_place(cpu: Backend, huge: Any) -> None:
    # Positions 3, 4 and 2^31 + 3, 2^31 + 4; a position kept in 32 bits would land on the first two, or outside.
    view = ((2, 2), (2**31, 1), 3)
    cpu.mod.ewise_setitem(cpu.array([1, 2, 3, 4]), huge, *view)
    np.testing.assert_array_equal(cpu.run_on(huge, "compact", *view, out=4), [1, 2, 3, 4])
    cpu.mod.scalar_setitem(2, 9.0, huge, (2,), (-1,), 2**31 + 4)
    np.testing.assert_array_equal(cpu.mod.to_numpy(huge, *view), [[1, 2], [9, 9]])
    np.testing.assert_array_equal(cpu.mod.to_numpy(huge, (2, 1), (1, 5), 2**31 + 3), [[9], [9]])


def test_layout_one_element_past_a_huge_buffer_is_refused(cpu: Backend, huge: Any) -> None:
    cpu.mod.to_numpy(huge, (2,), (2**31 + 1023,), 0)
    with pytest.raises(ValueError, match=f"reach elements 0 to {2**31 + 1024}, but a has {2**31 + 1024}"):
        cpu.mod.to_numpy(huge, (2,), (2**31 + 1024,), 0)


def test_module_works_without_numpy_and_without_site_packages(cpu: Backend) -> None:
    program = """
import ctypes, importlib.util, sys
spec = importlib.util.spec_from_file_location("ndarray_backend_cpu", sys.argv[1])
cpu = importlib.util.module_from_spec(spec)
spec.loader.exec_module(cpu)
a, out = cpu.Array(3), cpu.Array(3)
(ctypes.c_float * 3).from_address(a.ptr())[:] = [1, 2, 3]
cpu.scalar_mul(a, 2.0, out)
assert list((ctypes.c_float * 3).from_address(out.ptr())) == [2, 4, 6]
assert "numpy" not in sys.modules
print("done")
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, cpu.mod.mod.__file__], capture_output=True, text=True
    )
    assert (done.stdout, done.returncode) == ("done\n", 0), done.stderr
