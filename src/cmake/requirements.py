"""What the project needs, read from pyproject.toml, and what of it an interpreter lacks.

usage: requirements.py GROUP...    prints the unmet requirements of the running interpreter, one a line

Standard library only, and no TOML library: this runs before anything is installed, on Python 3.10 too.
"""

from __future__ import annotations

import ast
import re
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def read_requirements(groups: list[str], text: str | None = None) -> list[str]:
    """The requirements of some groups of pyproject.toml: `dependencies` or the name of an optional extra."""
    text = (ROOT / "pyproject.toml").read_text() if text is None else text
    project = text.split("\n[project]\n", 1)[1].split("\n[tool.", 1)[0]
    result: list[str] = []
    for group in groups:
        found = re.search(rf"^{group} = (\[.*?\])\n", project, re.MULTILINE | re.DOTALL)
        if found is None:
            raise KeyError(f"pyproject.toml has no group {group}")
        result += ast.literal_eval(found[1])
    return result


def version_numbers(version: str) -> tuple[int, ...]:
    """`1.26.4rc1` as (1, 26, 4), so that versions compare as tuples."""
    found = re.match(r"\d+(\.\d+)*", version)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def holds(version: str, bounds: str) -> bool:
    """Whether a version lies within bounds such as `>=1.24,<3`."""
    have = version_numbers(version)
    for bound in filter(None, bounds.split(",")):
        operator, limit = re.match(r"(>=|<)(.*)", bound.strip()).groups()  # type: ignore[union-attr]
        if (have >= version_numbers(limit)) != (operator == ">="):
            return False
    return True


def unmet(requirements: list[str]) -> list[str]:
    """Those requirements that the running interpreter does not meet."""
    result = []
    for requirement in requirements:
        specifier, _, marker = requirement.partition(";")
        if marker and not holds(".".join(map(str, sys.version_info[:2])), _marker_bounds(marker)):
            continue
        name, bounds = re.match(r"([\w.-]+)(.*)", specifier.strip()).groups()  # type: ignore[union-attr]
        try:
            met = holds(metadata.version(name), bounds)
        except metadata.PackageNotFoundError:
            met = False
        if not met:
            result.append(specifier.strip())
    return result


def _marker_bounds(marker: str) -> str:
    found = re.fullmatch(r"\s*python_version\s*(<|>=)\s*['\"]([\d.]+)['\"]\s*", marker)
    if found is None:
        raise ValueError(f"pyproject.toml: only python_version markers with < or >= are read here, not {marker!r}")
    return found[1] + found[2]


if __name__ == "__main__":
    print("\n".join(unmet(read_requirements(sys.argv[1:]))))
