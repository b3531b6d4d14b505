"""Unpack a submission's archive with our own extractor: regular files only, below one folder, up to fixed caps.

What an archive says about links, owners, modes, devices and absolute places is ignored or refused, never followed.
"""

from __future__ import annotations

import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

SUFFIXES = (".zip", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar")
MOST_FILES = 4000
MOST_BYTES = 64 << 20  # unpacked, all together; also the most that is ever decompressed
LONGEST_PATH, DEEPEST = 400, 24
CHUNK_BYTES = 1 << 16
BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError)


class ArchiveError(Exception):
    """An archive that is not taken: one line that says why."""


@dataclass
class _Room:
    """How many files and bytes may still come."""

    files: int = MOST_FILES
    bytes: int = MOST_BYTES

    def file(self) -> None:
        self.files -= 1
        if self.files < 0:
            raise ArchiveError(f"holds more than {MOST_FILES} files")

    def more(self, size: int) -> None:
        self.bytes -= size
        if self.bytes < 0:
            raise ArchiveError(f"holds more than {MOST_BYTES >> 20} MiB unpacked")


class _Counted:
    """A decompressed stream that fails when it has given more than the room allows: tar skips by reading."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source, self._room = source, _Room(bytes=2 * MOST_BYTES)

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(size if 0 <= size <= 1 << 20 else 1 << 20)
        self._room.more(len(data))
        return data


def is_archive(path: Path) -> bool:
    """Whether the name is that of an archive that can be unpacked."""
    return path.name.lower().endswith(SUFFIXES)


def stem(name: str) -> str:
    """The name without the suffix of an archive."""
    found = next((suffix for suffix in SUFFIXES if name.lower().endswith(suffix)), "")
    return name[: len(name) - len(found)] or name


def unpack(path: Path, folder: Path) -> list[str]:
    """Write the regular files of an archive below `folder`; returns remarks on what was left out.

    Errors: ArchiveError that says in one line why it is not taken; `folder` may then hold a part of it.
    """
    try:
        remarks = _unzip(path, folder) if path.name.lower().endswith(".zip") else _untar(path, folder)
    except ArchiveError:
        raise
    except BROKEN as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
        raise ArchiveError(f"cannot be unpacked: {why}") from None
    if not any(folder.iterdir()):
        raise ArchiveError("holds no files")
    return remarks


def _place(folder: Path, name: str) -> Path:
    """Where an entry goes. Errors: ArchiveError for a name that leads out of the folder."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\0" in name:
        raise ArchiveError(f"the entry {name!r} leads out of its folder")
    if len(name) > LONGEST_PATH or len(parts) > DEEPEST:
        raise ArchiveError(f"the entry {name[:60]!r}... has too long a path")
    return folder.joinpath(*parts)


def _write(place: Path, read: Callable[[int], bytes], room: _Room) -> None:
    """Write one file; a second entry of the same name replaces the first, as every unpacker does."""
    room.file()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("wb") as target:
            while chunk := read(CHUNK_BYTES):
                room.more(len(chunk))
                target.write(chunk)
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        raise ArchiveError(f"{place.name!r} is both a file and a folder") from None


def _unzip(path: Path, folder: Path) -> list[str]:
    remarks: list[str] = []
    room = _Room()
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        if len(entries) > 2 * MOST_FILES:
            raise ArchiveError(f"holds more than {MOST_FILES} files")
        for entry in entries:
            place = _place(folder, entry.filename)
            kind = stat.S_IFMT(entry.external_attr >> 16)
            if entry.is_dir():
                continue
            if kind not in (0, stat.S_IFREG):
                remarks.append(f"{entry.filename}: not a regular file, left out")
            elif entry.flag_bits & 1:
                raise ArchiveError(f"the entry {entry.filename!r} is encrypted")
            else:
                with archive.open(entry) as source:
                    _write(place, source.read, room)
    return remarks


def _untar(path: Path, folder: Path) -> list[str]:
    remarks: list[str] = []
    room = _Room()
    for archive, member in _members(path):
        if member.isdir():
            continue
        place = _place(folder, member.name)
        if member.isreg():
            source = archive.extractfile(member)
            if source is not None:
                _write(place, source.read, room)
        else:
            remarks.append(f"{member.name}: not a regular file, left out")
            room.file()
    return remarks


def _members(path: Path) -> Iterator[tuple[tarfile.TarFile, tarfile.TarInfo]]:
    """The entries in the order of the file, read as a stream so that a bomb is stopped while it grows."""
    with (
        path.open("rb") as raw,
        _decompressed(path, raw) as source,
        tarfile.open(fileobj=_Counted(source), mode="r|") as archive,  # type: ignore[call-overload]
    ):
        for member in archive:
            yield archive, member


def _decompressed(path: Path, raw: IO[bytes]) -> IO[bytes]:
    name = path.name.lower()
    if name.endswith(("gz", "tgz")):
        import gzip

        return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]
    if name.endswith("bz2"):
        import bz2

        return bz2.BZ2File(raw)  # type: ignore[return-value]
    if name.endswith("xz"):
        import lzma

        return lzma.LZMAFile(raw)  # type: ignore[return-value]
    return raw
