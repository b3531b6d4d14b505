"""Building one module per exercise: the cache, the first error, and guard bands for any allocator."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

from autograder import build
from autograder.children import wire
from autograder.exercise import Exercise

ROOT = Path(__file__).resolve().parents[2]
ALLOCATIONS = {
    "posix_memalign": ("void* p; posix_memalign(&p, 256, n); return p;", "free(p);"),
    "aligned_alloc": ("return aligned_alloc(256, (n + 255) / 256 * 256);", "free(p);"),
    "malloc": ("return malloc(n);", "free(p);"),
    "new array": ("return new float[n / 4];", "delete[] static_cast<float*>(p);"),
    "new": ("return ::operator new(n);", "::operator delete(p);"),
    "aligned new": ("return ::operator new(n, std::align_val_t(64));", "::operator delete(p, std::align_val_t(64));"),
}


@pytest.fixture(scope="module")
def allocators(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """guard.cc linked with one function per way to allocate, as a student's own array type would."""
    folder = tmp_path_factory.mktemp("guard")
    code = '#include <cstdlib>\n#include <new>\n#include <cstring>\n#include "contract.h"\nnamespace needle {\n'
    code += "void copy_to_host(float* h, const float* d, size_t n) { memcpy(h, d, n); }\n"
    code += "void copy_from_host(float* d, const float* h, size_t n) { memcpy(d, h, n); }\n}\n"
    code += '#define OUT extern "C" __attribute__((visibility("default"), noinline))\n'
    for number, (get, give) in enumerate(ALLOCATIONS.values()):
        code += f"OUT void* get{number}(size_t n) {{ {get} }}\nOUT void give{number}(void* p) {{ {give} }}\n"
    (folder / "own.cc").write_text(code)
    wrap = [f"-Wl,--wrap={name}" for name in build.WRAPPED]
    files = [str(folder / "own.cc"), str(build.HARNESS / "guard.cc")]
    argv = [
        build.find_compiler(),
        *build.FLAGS,
        "-w",
        f"-I{ROOT / 'src/common'}",
        "-shared",
        "-o",
        str(folder / "own.so"),
    ]
    subprocess.run([*argv, *files, *wrap], check=True)
    library = ctypes.CDLL(str(folder / "own.so"))
    library.needle_guard_arm.argtypes = [ctypes.c_size_t]
    library.needle_guard_holds.argtypes = [ctypes.c_void_p]
    for number in range(len(ALLOCATIONS)):
        getattr(library, f"get{number}").restype = ctypes.c_void_p
        getattr(library, f"get{number}").argtypes = [ctypes.c_size_t]
        getattr(library, f"give{number}").argtypes = [ctypes.c_void_p]
    return library


@pytest.mark.skipif(not build.GUARDED, reason="this system's linker has no --wrap")
@pytest.mark.parametrize("number", range(len(ALLOCATIONS)), ids=list(ALLOCATIONS))
@pytest.mark.parametrize("size_bytes", [4, 36, 4096, 40_000])
def test_an_announced_allocation_has_bands_on_both_sides_however_it_is_made(
    allocators: ctypes.CDLL, number: int, size_bytes: int
) -> None:
    get, give = getattr(allocators, f"get{number}"), getattr(allocators, f"give{number}")
    allocators.needle_guard_arm(size_bytes)
    address = get(size_bytes)
    allocators.needle_guard_disarm()
    assert allocators.needle_guard_holds(address) and address % 256 == 0
    assert ctypes.string_at(address - wire.BAND_BYTES, wire.BAND_BYTES) == wire.BAND
    assert ctypes.string_at(address + size_bytes, wire.BAND_BYTES) == wire.BAND
    give(address)
    assert not allocators.needle_guard_holds(address)


@pytest.mark.skipif(not build.GUARDED, reason="this system's linker has no --wrap")
@pytest.mark.parametrize("number", range(len(ALLOCATIONS)), ids=list(ALLOCATIONS))
def test_an_allocation_that_was_not_announced_is_an_ordinary_one(allocators: ctypes.CDLL, number: int) -> None:
    address = getattr(allocators, f"get{number}")(1000)
    assert address and not allocators.needle_guard_holds(address)
    getattr(allocators, f"give{number}")(address)


LOG = """In file included from src/backend_cpu/scalar.cc:5:
src/common/contract.h:9:1: note: here
src/backend_cpu/scalar.cc:17:12: warning: unused
src/common/contract.h:30:2: error: in a header
src/backend_cpu/scalar.cc:21:5: error: expected ';' before '}' token
src/backend_cpu/scalar.cc:30:5: error: second
"""


def test_the_first_error_is_the_one_in_the_students_own_file() -> None:
    assert build.first_error(LOG, "src/backend_cpu/scalar.cc") == ("expected ';' before '}' token", 21)


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (
            "a.o: in function f:\na.cc:(.text+0x5): undefined reference to `g'\n",
            "a.cc:(.text+0x5): undefined reference to `g'",
        ),
        ("src/common/contract.h:30:2: error: in a header\n", "src/common/contract.h:30:2: error: in a header"),
        ("killed", "killed"),
        ("", "no message"),
    ],
    ids=["linker", "header", "other", "nothing"],
)
def test_any_other_error_is_told_whole(log: str, message: str) -> None:
    assert build.first_error(log, "src/a.cc") == (message, 0)


def job(builder: build.Builder, exercises: dict[str, Exercise], code: bytes) -> build.Job:
    return builder.job_of(exercises["scalar.cpu"], code)


GOOD = b'#include "device.h"\nnamespace needle { void extra() {} }\n'


def test_an_object_is_compiled_once_and_two_equal_trees_share_it(
    tmp_path: Path, fresh_handout: tuple[Path, Path], exercises: dict[str, Exercise]
) -> None:
    here, there = build.Builder(ROOT, tmp_path), build.Builder(fresh_handout[0], tmp_path)
    first = here.compile(job(here, exercises, GOOD))
    assert first.path is not None and first.log == ""
    before = first.path.stat().st_mtime_ns
    assert there.compile(job(there, exercises, GOOD)).path == first.path and first.path.stat().st_mtime_ns == before
    other = here.compile(job(here, exercises, GOOD + b"// changed\n"))
    assert other.path != first.path


def test_a_changed_header_is_another_object(
    tmp_path: Path, fresh_handout: tuple[Path, Path], exercises: dict[str, Exercise]
) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(fresh_handout[0] / "src", tree / "src")
    builder = build.Builder(tree, tmp_path / "cache")
    first = builder.compile(job(builder, exercises, GOOD)).path
    header = tree / "src/common/contract.h"
    header.write_text(header.read_text() + "// changed\n")
    assert builder.compile(job(builder, exercises, GOOD)).path != first


def test_an_error_is_never_cached(tmp_path: Path, exercises: dict[str, Exercise]) -> None:
    builder = build.Builder(ROOT, tmp_path)
    for _ in range(2):
        built = builder.compile(job(builder, exercises, b"int x = ;\n"))
        assert built.path is None and built.line == 1 and "expected" in built.error
    assert not list((tmp_path / "objects").glob("*.o")) and not list(tmp_path.glob("stage-*"))


def test_a_given_part_that_does_not_compile_is_our_trouble(tmp_path: Path) -> None:
    broken = build.Job("bindings.cc", b"int x = ;", build.FLAGS, "", given=True)
    with pytest.raises(build.BuildTroubleError, match="given file bindings.cc"):
        build.Builder(ROOT, tmp_path).compile(broken)


def test_a_compiler_that_does_not_start_is_our_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "c++"
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("CXX", str(fake))
    with pytest.raises(build.BuildTroubleError, match="does not start"):
        _ = build.Builder(ROOT, tmp_path).compiler
