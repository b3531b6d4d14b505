"""The tools of the build: compiler, cmake, ninja, sanitizer runtimes, and the command that installs a missing thing."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from requirements import holds, read_requirements

# thing -> command per system. {v} is the version suffix of a Python that is not the system's own.
_INSTALL = {
    "debian": {
        "compiler": "apt-get install g++",
        "headers": "apt-get install python3{v}-dev",
        "venv": "apt-get install python3{v}-venv",
        "sanitizers": "apt-get install libasan8 libubsan1",
        "gdb": "apt-get install gdb",
    },
    "fedora": {
        "compiler": "dnf install gcc-c++",
        "headers": "dnf install python3{v}-devel",
        "venv": "dnf install python3{v}-libs",
        "sanitizers": "dnf install libasan libubsan",
        "gdb": "dnf install gdb",
    },
    "macos": {
        "compiler": "xcode-select --install",
        "headers": "brew install python",
        "venv": "brew install python",
        "sanitizers": "xcode-select --install",
        "gdb": "brew install gdb",
    },
}
_NAMES = {
    "compiler": "a C++ compiler",
    "headers": "Python.h (headers of {python})",
    "venv": "the venv module of {python} (ensurepip)",
    "sanitizers": "the sanitizer runtimes of the C++ compiler",
    "gdb": "gdb",
}


def system() -> str:
    """`debian`, `fedora` or `macos`, with what is like them; `other` where the packages' names are not known."""
    if sys.platform == "darwin":
        return "macos"
    try:
        lines = Path("/etc/os-release").read_text().splitlines()
    except OSError:
        return "other"
    fields = dict(line.split("=", 1) for line in lines if "=" in line)
    families = f"{fields.get('ID', '')} {fields.get('ID_LIKE', '')}".replace('"', "").split()
    if {"debian", "ubuntu"} & set(families):
        return "debian"
    return "fedora" if {"fedora", "rhel", "centos"} & set(families) else "other"


def missing_line(thing: str) -> str:
    """One line that names a missing thing and the command to type for it."""
    here = system()
    python = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
    text = f"missing: {_NAMES[thing].format(python=python)}"
    if thing == "compiler" and os.environ.get("CXX"):
        text += f" (CXX={os.environ['CXX']} does not run)"
    from_packages = sys.base_prefix == "/usr" if here != "macos" else "conda" not in sys.version
    if thing in ("headers", "venv") and not from_packages:
        return f"{text}; {sys.base_prefix} was installed without it: reinstall it, or name another one: make PYTHON=..."
    if here == "other":
        commands = " | ".join(f"{name}: {table[thing].format(v='')}" for name, table in _INSTALL.items())
        return f"{text}; type the like of {commands}"
    command = _INSTALL[here][thing].format(v=_version_suffix())
    sudo = "" if os.geteuid() == 0 or here == "macos" else "sudo "
    return f"{text}; type: {sudo}{command}"


def _version_suffix() -> str:
    """`.12` for a Python beside the system's own, whose packages carry the version in their name."""
    own = Path("/usr/bin/python3").resolve().name
    mine = f"python3.{sys.version_info[1]}"
    return "" if own == mine else f".{sys.version_info[1]}"


def _output(command: list[str]) -> str | None:
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def compiler() -> tuple[list[str], str] | None:
    """The C++ compiler as a command and its version text: $CXX, or the first of g++, clang++, c++ that runs."""
    candidates = [os.environ["CXX"]] if os.environ.get("CXX") else ["g++", "clang++", "c++"]
    for candidate in candidates:
        command = shlex.split(candidate)
        version = _output([*command, "--version"])
        if version:
            return command, version.splitlines()[0]
    return None


def has_headers() -> bool:
    """Whether Python.h of the running interpreter is there."""
    paths = {sysconfig.get_path("include"), sysconfig.get_path("platinclude")}
    return any(path and Path(path, "Python.h").is_file() for path in paths)


def has_venv() -> bool:
    """Whether the running interpreter can make a virtual environment with pip in it."""
    return all(importlib.util.find_spec(name) is not None for name in ("venv", "ensurepip"))


def tool(name: str) -> str | None:
    """The path of cmake or ninja in the range of pyproject.toml: the system's, or the one installed from PyPI."""
    bounds = next(r for r in read_requirements(["build"]) if r.startswith(name))[len(name) :]
    paths = [shutil.which(name)]
    spec = importlib.util.find_spec(name)
    if spec is not None and spec.submodule_search_locations:
        package = Path(next(iter(spec.submodule_search_locations)))
        paths += [str(package / "data/bin" / name), str(Path(sysconfig.get_path("scripts"), name))]
    for path in paths:
        version = _output([path, "--version"]) if path else None
        if path and version and holds(version.split()[-1 if name == "ninja" else 2], bounds):
            return path
    return None


def sanitizer_runtimes(command: list[str]) -> list[str] | None:
    """The shared ASan and UBSan runtimes of a compiler, to be preloaded into Python; None where they are missing."""
    version = _output([*command, "--version"]) or ""
    machine = os.uname().machine
    names = [f"libclang_rt.asan-{machine}.so"] if "clang" in version else ["libasan.so", "libubsan.so"]
    paths = [_output([*command, f"-print-file-name={name}"]) or "" for name in names]
    return paths if all(os.path.isabs(path) and os.path.exists(path) for path in paths) else None


def sanitized_environment() -> dict[str, str]:
    """The environment in which Python can load a sanitizer build."""
    found = compiler()
    runtimes = sanitizer_runtimes(found[0]) if found else None
    return {
        **os.environ,
        "LD_PRELOAD": " ".join(runtimes or []),
        # Python itself never frees some of its memory, so leaks cannot be told from it.
        # A test asks for more memory than there is, and expects a MemoryError.
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    }
