"""Objects and modules as CMake and the grader build them."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from needle.cudasim import build, toolchain

ROOT = Path(__file__).resolve().parents[2]
SOURCE = """#include "own.h"
extern "C" __attribute__((visibility("default"))) int answer() {
  int *d, h;
  cudaMalloc(&d, 4);
  set<<<1, 1>>>(d, VALUE);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  cudaFree(d);
  return h;
}
"""
HEADER = "#pragma once\n__global__ void set(int* out, int value) { *out = value; }\n"
COMPILERS = [
    found[0]
    for names in (["g++"], ["clang++", "clang++-16", "clang++-14"])
    if (found := [*filter(shutil.which, names)])
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "own.h").write_text(HEADER)
    (tmp_path / "own.cu").write_text(SOURCE)
    return tmp_path / "own.cu"


@pytest.mark.parametrize("mode", ["plain", "checked"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_shared_object_of_either_mode_runs_a_kernel_of_the_students_header(
    source: Path, tmp_path: Path, mode: str, compiler: str
) -> None:
    compiled = build.compile_object(
        source, tmp_path / "own.o", mode, include_dirs=[tmp_path / "include"], flags=["-DVALUE=42"], compiler=compiler
    )
    assert compiled.kernels["set"].parameters == ("out", "value") and not compiled.cached
    library = build.link([compiled.object], tmp_path / f"own-{mode}-{compiler}.so", mode, compiler=compiler)
    assert ctypes.CDLL(str(library)).answer() == 42


def test_object_comes_from_the_cache_until_something_changes(source: Path, tmp_path: Path) -> None:
    def compile_once(value: str) -> bool:
        return build.compile_object(
            source,
            tmp_path / "own.o",
            flags=[f"-DVALUE={value}"],
            include_dirs=[tmp_path / "include"],
            cache=tmp_path / "c",
        ).cached

    assert [compile_once("1"), compile_once("1"), compile_once("2"), compile_once("1")] == [False, True, False, True]
    (tmp_path / "include" / "own.h").write_text(HEADER.replace("= value", "= value + 1"))
    assert not compile_once("1")


def compile_command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "needle.cudasim.compile", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def test_command_writes_an_object_and_its_dependencies(source: Path, tmp_path: Path) -> None:
    out, depfile = tmp_path / "own.o", tmp_path / "own.d"
    done = compile_command(
        "--mode", "checked", "--out", out, "--depfile", depfile, source, "--", f"-I{tmp_path}/include", "-DVALUE=1"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    dependencies = depfile.read_text().replace("\\\n", " ").split()
    assert out.is_file() and dependencies[0] == f"{out}:"
    assert str(tmp_path / "include" / "own.h") in dependencies and any(
        d.endswith("cuda_runtime.h") for d in dependencies
    )


def test_command_says_why_a_file_does_not_compile(source: Path, tmp_path: Path) -> None:
    (tmp_path / "include" / "own.h").write_text(HEADER.replace("value;", "valeu;"))
    done = compile_command("--out", tmp_path / "own.o", source, "--", f"-I{tmp_path}/include", "-DVALUE=1")
    assert done.returncode == 1 and "own.h:2: error: 'valeu' was not declared" in done.stderr
    assert "    2 | __global__ void set(int* out, int value) { *out = valeu; }" in done.stderr
    assert not (tmp_path / "own.o").exists()


@pytest.mark.parametrize("compiler", COMPILERS)
def test_errors_are_at_the_students_lines_with_every_compiler(tmp_path: Path, compiler: str) -> None:
    lines = {
        "__global__ void k(float* a, int n) { a[0] = n; }": "",
        "template <class T> __global__ void t(T* a) { a[0].x = 1; }": "x",
        "__global__ void s() { __shared__ flaot s[4]; }": "flaot",
        'void one(float* p) { k<<<1, 2>>>(p, "text"); }': "",
        "void two(float* p) { t<<<1, 2>>>(p); }": "",
        "void three(float* p) { missing<<<1, 2>>>(p); }": "missing",
        'void four(float* p) { k<<<"a", 2>>>(p, 3); }': "",
    }
    (tmp_path / "bad.cu").write_text("\n".join(lines) + "\n")
    with pytest.raises(build.CompileError) as caught:
        build.compile_object(tmp_path / "bad.cu", tmp_path / "bad.o", compiler=compiler)
    found = {problem.line: problem.text for problem in caught.value.problems}
    assert {3, 4, 6, 7} <= set(found) and 1 not in found
    assert "flaot" in found[3] and "missing" in found[6] and all("cudasim" not in text for text in found.values())


def test_undefined_function_is_named_by_the_link(source: Path, tmp_path: Path) -> None:
    source.write_text("void nowhere();\nint main() { nowhere(); }\n")
    compiled = build.compile_object(source, tmp_path / "own.o")
    with pytest.raises(build.CompileError, match="nowhere"):
        build.link([compiled.object], tmp_path / "own", kind="program")


COURSE_FILE = """#include <cuda_runtime.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <iostream>
#include <sstream>

namespace needle {
namespace cuda {
#define BASE_THREAD_NUM 256
typedef float scalar_t;
const size_t ELEM_SIZE = sizeof(scalar_t);

struct CudaArray {
  CudaArray(const size_t size) {
    cudaError_t err = cudaMalloc(&ptr, size * ELEM_SIZE);
    if (err != cudaSuccess) throw std::runtime_error(cudaGetErrorString(err));
    this->size = size;
  }
  ~CudaArray() { cudaFree(ptr); }
  size_t ptr_as_int() { return (size_t)ptr; }
  scalar_t* ptr;
  size_t size;
};

struct CudaDims { dim3 block, grid; };
CudaDims CudaOneDim(size_t size) {
  CudaDims dim;
  dim.block = dim3(BASE_THREAD_NUM, 1, 1);
  dim.grid = dim3((size + BASE_THREAD_NUM - 1) / BASE_THREAD_NUM, 1, 1);
  return dim;
}

__global__ void FillKernel(scalar_t* out, scalar_t val, size_t size) {
  size_t gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (gid < size) out[gid] = val;
}
void Fill(CudaArray* out, scalar_t val) {
  CudaDims dim = CudaOneDim(out->size);
  FillKernel<<<dim.grid, dim.block>>>(out->ptr, val, out->size);
}
}  // namespace cuda
}  // namespace needle

PYBIND11_MODULE(ndarray_backend_cuda, m) {
  namespace py = pybind11;
  using namespace needle;
  using namespace cuda;
  m.attr("__device_name__") = "cuda";
  py::class_<CudaArray>(m, "Array").def(py::init<size_t>()).def_readonly("size", &CudaArray::size);
  m.def("to_numpy", [](const CudaArray& a) {
    py::array_t<scalar_t> host(a.size);
    cudaMemcpy(host.mutable_data(), a.ptr, a.size * ELEM_SIZE, cudaMemcpyDeviceToHost);
    return host;
  });
  m.def("fill", Fill);
}
"""


def test_single_file_of_a_public_course_becomes_a_python_module(tmp_path: Path) -> None:
    pybind11 = pytest.importorskip("pybind11")
    pytest.importorskip("numpy")
    source = tmp_path / "ndarray_backend_cuda.cu"
    source.write_text(COURSE_FILE)
    headers = [pybind11.get_include(), sysconfig.get_path("include")]
    compiled = build.compile_object(source, tmp_path / "own.o", "checked", system_include_dirs=headers)
    module = build.link([compiled.object], tmp_path / "ndarray_backend_cuda.so", "checked")
    program = "import ndarray_backend_cuda as m; a = m.Array(300); m.fill(a, 2.5); print(m.to_numpy(a).sum())"
    environment = {**os.environ, "PYTHONPATH": str(module.parent)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert (done.stdout, done.stderr) == ("750.0\n", "")


def test_cache_folder_is_the_chosen_one_or_one_that_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEEDLE_CUDASIM_CACHE", str(tmp_path / "own"))
    assert toolchain.cache_folder() == tmp_path / "own" and (tmp_path / "own").is_dir()
    monkeypatch.delenv("NEEDLE_CUDASIM_CACHE")
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(toolchain.tempfile, "gettempdir", lambda: str(tmp_path))
    assert toolchain.cache_folder() == tmp_path / f"needle-cudasim-{os.getuid()}"
    monkeypatch.setattr(toolchain.tempfile, "gettempdir", lambda: str(tmp_path / "file"))
    with pytest.raises(toolchain.ToolchainError, match="NEEDLE_CUDASIM_CACHE"):
        toolchain.cache_folder()
