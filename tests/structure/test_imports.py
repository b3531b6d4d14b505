"""Nothing imports upward, and no two modules import each other in a circle."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"needle": ROOT / "python/needle", "autograder": ROOT / "autograder"}

# What a module of the left side never imports, directly at its top level: (prefix, forbidden prefixes).
UPWARD = [
    ("needle", ("autograder", "tests")),
    (
        "needle.backend_ndarray",
        ("needle.autograd", "needle.ops", "needle.nn", "needle.optim", "needle.init", "needle.data", "needle.models"),
    ),
    ("needle.backend_ndarray.layout", ("numpy", "needle.backend_ndarray")),
    ("needle.autograd", ("needle.ops", "needle.nn", "needle.optim", "needle.data", "needle.models")),
    ("needle.ops", ("needle.nn", "needle.optim", "needle.data", "needle.models")),
    ("needle.cudasim", ("needle.backend_ndarray", "needle.autograd", "needle.ops")),
    ("autograder.cases", ("autograder.build", "autograder.sandbox", "autograder.report", "autograder.cli")),
    ("autograder.children", ("autograder.cases", "autograder.compare", "autograder.score")),
]


def modules() -> dict[str, Path]:
    found = {}
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            if "examples" in path.parts:
                continue
            parts = [package, *path.relative_to(folder).with_suffix("").parts]
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def top_level_imports(name: str) -> set[str]:
    """Modules imported when `name` is imported: imports inside functions and under TYPE_CHECKING are not counted."""
    path = MODULES[name]
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found: set[str] = set()

    def visit(body: list[ast.stmt]) -> None:
        for node in body:
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
                module = ".".join([*base, *([node.module] if node.module else [])])
                found.add(module)
                names = (f"{module}.{alias.name}" for alias in node.names)
                found.update(name for name in names if name in MODULES)
            elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.dump(node.test):
                visit(node.body + node.orelse)
            elif isinstance(node, ast.Try):
                handlers = [line for handler in node.handlers for line in handler.body]
                visit(node.body + node.orelse + node.finalbody + handlers)

    visit(ast.parse(path.read_text()).body)
    return found


def under(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


@pytest.mark.parametrize("prefix, forbidden", UPWARD, ids=[prefix for prefix, _ in UPWARD])
def test_nothing_imports_upward(prefix: str, forbidden: tuple[str, ...]) -> None:
    importers = [name for name in MODULES if under(name, prefix)]
    assert importers, f"no module below {prefix}: the rule tests nothing"
    for name in importers:
        for imported in top_level_imports(name):
            assert not any(under(imported, bad) for bad in forbidden), f"{name} imports {imported}"


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    graph = {
        # a package's __init__ gathers its modules; importing a sibling is not importing the gathering
        name: {other for other in top_level_imports(name) if other in MODULES and not under(name, other)}
        for name in MODULES
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_no_module_of_ours_uses_import_star() -> None:
    public_face = {"needle", "needle.backend_ndarray"}
    for name, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
                assert name in public_face, f"{name}:{node.lineno} uses import *"
