"""The helpers of the build: what is required, what happens to a kernel that does not compile, what the hash sees."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HELPERS = ROOT / "src/cmake"
requirements = runpy.run_path(str(HELPERS / "requirements.py"))
source_hash = runpy.run_path(str(ROOT / "python/needle/backend_ndarray/source_hash.py"))["source_hash"]


def pyproject() -> dict:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_small_parser_reads_the_same_requirements_as_a_toml_library() -> None:
    project = pyproject()
    groups = {"dependencies": project["dependencies"], **project["optional-dependencies"]}
    assert {name: requirements["read_requirements"]([name]) for name in groups} == groups


@pytest.mark.parametrize(
    ("version", "bounds", "holds"),
    [
        ("1.26.4", ">=1.24,<3", True),
        ("3.0", ">=1.24,<3", False),
        ("1.9", ">=1.24,<3", False),
        ("2.0rc1", ">=2,<3", True),
        ("10", ">=9", True),
    ],
)
def test_versions_compare_by_number(version: str, bounds: str, holds: bool) -> None:
    assert requirements["holds"](version, bounds) is holds


def test_unmet_names_what_is_missing_or_out_of_range_and_honours_the_python_marker() -> None:
    wanted = ["numpy>=1", "numpy>=99", "no-such-distribution>=1", "no-such-one; python_version < '3.1'"]
    assert requirements["unmet"](wanted) == ["numpy>=99", "no-such-distribution>=1"]


@pytest.fixture
def compiler() -> str:
    found = shutil.which("g++") or shutil.which("clang++")
    assert found, "the build needs a C++ compiler, so its tests do too"
    return found


def compile_kernel(folder: Path, compiler: str) -> subprocess.CompletedProcess[str]:
    command = [compiler, "-MD", "-MT", "k.o", "-MF", "k.d", "-o", "k.o", "-c", "reduce.cc"]
    launcher = [sys.executable, "-I", "-S", str(HELPERS / "compile_kernel.py"), "failed", "cpu"]
    return subprocess.run([*launcher, *command], cwd=folder, capture_output=True, text=True)


def test_kernel_that_does_not_compile_shows_its_error_and_leaves_an_empty_object(tmp_path: Path, compiler: str) -> None:
    (tmp_path / "reduce.cc").write_text("void f( {\n")
    done = compile_kernel(tmp_path, compiler)
    assert done.returncode == 0 and re.search(r"reduce\.cc:1:\d+: error", done.stderr)
    assert (tmp_path / "k.o").stat().st_size > 0 and "reduce.cc" in (tmp_path / "k.d").read_text()
    assert Path((tmp_path / "failed/cpu.reduce").read_text()) == tmp_path / "k.o"


def test_kernel_that_compiles_again_takes_its_marker_away(tmp_path: Path, compiler: str) -> None:
    (tmp_path / "failed").mkdir()
    (tmp_path / "failed/cpu.reduce").touch()
    (tmp_path / "reduce.cc").write_text("void f() {}\n")
    assert compile_kernel(tmp_path, compiler).returncode == 0
    assert not (tmp_path / "failed/cpu.reduce").exists()


def sources(root: Path) -> Path:
    for name, text in {"common/contract.h": "1", "backend_cpu/fill.cc": "2", "backend_cuda/fill.cu": "3"}.items():
        (root / "src" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "src" / name).write_text(text)
    return root


def test_source_hash_sees_names_and_bytes_of_its_own_backend_only(tmp_path: Path) -> None:
    root = sources(tmp_path)
    before = source_hash(root, "cpu")
    (root / "src/backend_cuda/fill.cu").write_text("4")
    (root / "src/backend_cpu/.fill.cc.swp").write_text("an editor's")
    (root / "src/backend_cpu/notes.txt").write_text("no source")
    assert source_hash(root, "cpu") == before
    (root / "src/backend_cpu/fill.cc").rename(root / "src/backend_cpu/full.cc")
    renamed = source_hash(root, "cpu")
    (root / "src/common/contract.h").write_text("5")
    assert len({before, renamed, source_hash(root, "cpu")}) == 3


def test_source_hash_is_none_where_there_are_no_sources(tmp_path: Path) -> None:
    assert source_hash(tmp_path, "cpu") is None
    assert source_hash(sources(tmp_path), "no_such_backend") is None


@pytest.mark.parametrize("python", ["no-such-python", "false"])
def test_python_that_does_not_run_is_one_line_with_the_commands_to_type(python: str) -> None:
    done = subprocess.run(
        ["sh", str(HELPERS / "choose_python.sh"), "build"], env={"PYTHON": python, "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1 and done.stdout == ""
    assert re.fullmatch(rf"missing: Python 3\.10 or newer \(PYTHON={python} does not run\); .*install.*\n", done.stderr)
