"""What a confined child needs of this machine's file system: an interpreter and its libraries, or a compiler."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

# What a compiler reads. /usr/src and /usr/share are left out: people keep projects there.
SYSTEM = ("bin", "include", "lib", "lib32", "lib64", "libexec")
COMPILER = (
    *(f"/usr/{name}" for name in SYSTEM),
    *(f"/usr/local/{name}" for name in SYSTEM),
    *(f"/{name}" for name in SYSTEM),
    "/etc/ld.so.cache",
    "/etc/alternatives",
)
PACKAGES = ("site-packages", "dist-packages")
# Everything that the children load; a module of the student's needs the C++ library too.
LOADS = """
import ctypes, importlib.util, json, math, operator, os, re, struct, sys
try:
    ctypes.CDLL("libstdc++.so.6")
    ctypes.CDLL("libgcc_s.so.1")
except OSError:
    pass
print(open("/proc/self/maps").read())
"""


@dataclass(frozen=True)
class Sight:
    """Paths that may be read, and folders below them that may not."""

    readable: tuple[str, ...]
    hidden: tuple[str, ...] = ()


def executable() -> str:
    """The running interpreter itself, not the link of a virtual environment."""
    return os.path.realpath(sys.executable)


def below(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or lies in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


@lru_cache(maxsize=1)
def python() -> Sight:
    """The interpreter, its standard library without any installed package, and the shared libraries it maps.

    No NumPy, no BLAS, no compiler: a kernel child has nothing to borrow an answer from.
    """
    told = subprocess.run([executable(), "-I", "-S", "-c", LOADS], capture_output=True, text=True, timeout=60).stdout
    libraries = {path for path in re.findall(r"(/\S+\.so\S*)$", told, re.MULTILINE) if os.path.isfile(path)}
    stdlib = {os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
    paths = {executable(), *stdlib}
    for library in libraries:
        if not any(below(library, folder) for folder in stdlib):
            paths |= _names_of(library)
    paths |= _loader()
    for extra in ("/etc/ld.so.cache", "/usr/lib/locale/C.utf8", "/usr/lib/locale/C.UTF-8"):
        if os.path.exists(extra):
            paths.add(extra)
    hidden = [os.path.join(folder, name) for folder in stdlib for name in PACKAGES]
    return Sight(tuple(sorted(paths)), tuple(sorted(path for path in hidden if os.path.isdir(path))))


def _names_of(library: str) -> set[str]:
    """A library under all its names in its folder: the loader asks for libm.so.6, the maps tell the file behind it."""
    folder = os.path.dirname(library)
    stem = os.path.basename(library).split(".so")[0]
    alike = [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(stem)]
    return {library} | {path for path in alike if os.path.realpath(path) == library}


def _loader() -> set[str]:
    """The dynamic loader that the interpreter names, below the real folder of its link."""
    with open(executable(), "rb") as file:
        found = re.search(rb"(/[\w./\-]*ld-[\w.\-]+)\0", file.read(4096))
    if not found:
        return set()
    path = found[1].decode()
    return {os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)), os.path.realpath(path)}


@lru_cache(maxsize=4)
def compiler(path: str) -> Sight:
    """The system's programs, headers and libraries, and the compiler's own installation where it lies elsewhere."""
    found = [place for place in COMPILER if os.path.exists(place) and not os.path.islink(place)]
    own = str(Path(os.path.realpath(path)).parent.parent)
    if not any(below(own, place) for place in ("/usr", *found)):
        found.append(own)
    return Sight(tuple(found))
