"""Where the simulator's headers and runtime are, and how the host compiler is called.

The flags stand in one file, `src/cudasim/flags.json`, which CMake and this module read.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

MODES = ("plain", "checked")
_PACKAGE = Path(__file__).resolve().parent
_LIBRARY = "libcudasim.so"


class ToolchainError(Exception):
    """Something the simulator needs is not on this machine; the text says what, and what to do."""


@cache
def home() -> Path:
    """The folder with `include/`, `runtime/` and `flags.json`: in an installed package, or in the tree."""
    for folder in (_PACKAGE / "runtime_files", _PACKAGE.parents[2] / "src" / "cudasim"):
        if (folder / "include" / "cuda_runtime.h").is_file():
            return folder
    raise ToolchainError(
        "the simulator's headers were not found: neither in the package needle.cudasim nor in src/cudasim"
    )


def find_compiler(wanted: str | None = None) -> str:
    """The host compiler to use: `wanted`, else CXX, else g++ or clang++, whichever is there."""
    candidates = [wanted] if wanted else [os.environ.get("CXX"), "g++", "clang++", "c++"]
    for name in candidates:
        if name and (found := shutil.which(name.split()[0])):
            return found
    raise ToolchainError(
        f"no C++ compiler found (tried {', '.join(filter(None, candidates))}); install g++ or clang++, or set CXX"
    )


@cache
def compiler_identity(compiler: str) -> tuple[str, str]:
    """The family of a compiler ("gcc" or "clang") and the first line of its version text."""
    done = subprocess.run([compiler, "--version"], capture_output=True, text=True)
    if done.returncode != 0:
        raise ToolchainError(f"{compiler} --version failed: {done.stderr.strip()}")
    return ("clang" if "clang" in done.stdout.lower() else "gcc"), done.stdout.splitlines()[0]


@cache
def _flag_table() -> dict[str, dict[str, dict[str, list[str]]]]:
    table: dict[str, dict[str, dict[str, list[str]]]] = json.loads((home() / "flags.json").read_text())
    return table


def flags(compiler: str, mode: str, stage: str) -> list[str]:
    """The flags of one stage ("compile" or "link") in one mode, for the family of `compiler`."""
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    table = _flag_table()
    found: list[str] = []
    for family in ("common", compiler_identity(compiler)[0]):
        for section in ("any", mode):
            found += table.get(family, {}).get(section, {}).get(stage, [])
    return found


def cache_folder() -> Path:
    """Where objects are kept between calls: NEEDLE_CUDASIM_CACHE, else the user's cache folder, else a temporary one.

    Errors: ToolchainError if none of them can be written.
    """
    chosen, base = os.environ.get("NEEDLE_CUDASIM_CACHE"), os.environ.get("XDG_CACHE_HOME")
    usual = Path(base) if base else Path(os.path.expanduser("~")) / ".cache"
    temporary = Path(tempfile.gettempdir()) / f"needle-cudasim-{os.getuid()}"
    for folder in [Path(chosen)] if chosen else [usual / "needle-cudasim", temporary]:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:
            continue
        # a folder of somebody else's in a shared place could hold anything
        if os.access(folder, os.W_OK) and folder.stat().st_uid == os.getuid():
            return folder
    raise ToolchainError("no folder for compiled objects can be written; set NEEDLE_CUDASIM_CACHE to one of your own")


def fingerprint(*parts: str | bytes) -> str:
    """A short name for some content."""
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogateescape")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:32]
