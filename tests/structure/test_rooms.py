"""The layout of the house: every family at every layer under its own name, small rooms, no circles, nothing upward."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = ("fill", "compact", "setitem", "ewise", "scalar", "reduce", "matmul", "power")
GRADED_FAMILIES = FAMILIES[1:]  # fill is given


def tracked(*patterns: str) -> list[Path]:
    """Files of the tree that git tracks or would track, matching the patterns; a handout without git: all files."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        return sorted(path for pattern in patterns for path in ROOT.rglob(pattern) if path.is_file())
    return sorted(ROOT / line for line in done.stdout.splitlines() if (ROOT / line).is_file())


def sources(*patterns: str) -> list[Path]:
    """Source files that are rooms: specimens, attacks, kernels under test and sample submissions are exhibits."""
    exhibits = re.compile(r"/(specimens|attacks|kernels|examples|submissions|course)/")
    return [path for path in tracked(*patterns) if not exhibits.search(path.as_posix())]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("backend", ["backend_cpu/{}.cc", "backend_cuda/{}.cu"])
def test_every_family_has_its_own_file_in_every_backend(family: str, backend: str) -> None:
    assert (ROOT / "src" / backend.format(family)).is_file()


@pytest.mark.parametrize("family", GRADED_FAMILIES)
def test_every_graded_family_has_its_own_cases_and_mistakes(family: str) -> None:
    assert (ROOT / f"autograder/cases/{family}.py").is_file()
    assert (ROOT / f"autograder/mistakes/{family}.py").is_file()


@pytest.mark.parametrize("family", FAMILIES)
def test_a_backend_has_no_kernel_file_outside_the_families(family: str) -> None:
    given = {"device", "module"}
    for folder in ("backend_cpu", "backend_cuda"):
        stems = {path.stem for path in sources(f"src/{folder}/*.cc", f"src/{folder}/*.cu")}
        assert stems - given <= set(FAMILIES), f"{folder} has {sorted(stems - given - set(FAMILIES))}"
        assert family in stems


def test_contract_names_are_equal_in_cpp_and_python() -> None:
    text = (ROOT / "src/common/contract.h").read_text()
    names = re.findall(r"^\s*X\((\w+),", text, flags=re.MULTILINE)
    contract = ast.parse((ROOT / "python/needle/backend_ndarray/contract.py").read_text())
    python: set[str] = set()
    for node in contract.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        if isinstance(target, ast.Name) and target.id in ("REQUIRED", "OPTIONAL"):
            assert isinstance(node.value, ast.Dict)
            python |= {key.value for key in node.value.keys if isinstance(key, ast.Constant)}
    given_by_the_binding = {"Array", "to_numpy", "from_numpy"}
    assert len(names) == len(set(names)) >= 24
    assert python - given_by_the_binding == set(names)


@pytest.mark.parametrize("family", GRADED_FAMILIES)
def test_kernel_files_see_only_the_contract(family: str) -> None:
    for path in sources(f"src/backend_*/{family}.*"):
        includes = re.findall(r'^\s*#\s*include\s+["<]([^">]+)', path.read_text(), flags=re.MULTILINE)
        ours = {name for name in includes if "/" in name or name.endswith((".h", ".cuh"))}
        assert ours <= {"../common/contract.h", "device.h", "device.cuh"}, f"{relative(path)} includes {sorted(ours)}"


def test_only_the_binding_and_module_entries_know_pybind11() -> None:
    for path in sources("src/*.cc", "src/*.cu", "src/*.h", "src/*.cuh"):
        if path.name.startswith("bindings") or path.name == "module.cc" or "cudasim" in path.parts:
            continue
        assert "pybind11" not in re.sub(r"//.*", "", path.read_text()), relative(path)


def test_rooms_are_small() -> None:
    large = []
    for path in sources("*.py", "*.cc", "*.cu", "*.h", "*.cuh", "*.cpp", "README.md", "*/README.md"):
        limit = 120 if "backend_c" in path.parent.name else 150 if path.name == "README.md" else 300
        lines = len(path.read_text().splitlines())
        if lines > limit:
            large.append(f"{relative(path)}: {lines} lines, the limit is {limit}")
    assert not large, "\n".join(large)


def test_python_functions_are_short() -> None:
    long = []
    for path in sources("*.py"):
        if path.parts[len(ROOT.parts)] == "tests":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
            lines = (node.end_lineno or 0) - first.lineno + 1  # a docstring is documentation, not code
            if lines > 40:
                long.append(f"{relative(path)}:{node.lineno} {node.name}: {lines} lines, the limit is 40")
    assert not long, "\n".join(long)
