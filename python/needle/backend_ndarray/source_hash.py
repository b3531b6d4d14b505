"""The hash that ties a compiled backend to the sources it was built from.

The build writes it into the extension, `device.py` compares it on import: a backend older than its sources says so.
The build runs this file by path, before NumPy is installed, so it imports the standard library only.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

SOURCE_SUFFIXES = frozenset({".h", ".hpp", ".cuh", ".cc", ".cpp", ".cu"})

# What a backend is compiled from, relative to the root; the default is src/common and src/backend_<name>.
_FOLDERS = {"cuda_sim": ("src/common", "src/backend_cuda", "src/cudasim")}


def source_files(root: Path, backend: str) -> list[Path]:
    """List the source files of a backend, sorted by their name relative to `root`."""
    folders = _FOLDERS.get(backend, ("src/common", f"src/backend_{backend}"))
    files = (path for folder in folders for path in (root / folder).rglob("*") if path.suffix in SOURCE_SUFFIXES)
    # A hidden file is an editor's lock or swap file, never a source.
    found = (path for path in files if path.is_file() and not path.name.startswith("."))
    return sorted(found, key=lambda path: path.relative_to(root).as_posix())


def source_hash(root: Path, backend: str) -> str | None:
    """Hash the sources of a backend: the first 16 hex digits of a SHA-256 over names and bytes.

    Returns None when `root` holds no sources of it, as in an installed package.
    """
    if not (root / "src/common/contract.h").is_file():
        return None
    files = source_files(root, backend)
    if not any("src/common/" not in path.relative_to(root).as_posix() for path in files):
        return None
    digest = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        # Name and length stand before the bytes, so that no two sets of files feed the same stream.
        digest.update(f"{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]
